import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import * as v from 'valibot';
import type { Catalog } from '../catalog.ts';
import {
  type CatalogEntry,
  CatalogSchema,
  type ProjectEntry,
  type SystemEntry,
} from '../catalog-schema.ts';
import type { HpcSystem, Project, WelcomeQuota } from '../hpc-system.ts';
import { projectName, type SystemName, systemName } from '../identifiers.ts';
import { readDraft } from './draft.ts';
import { judgeRules } from './judge-rules.ts';
import { describeFound, type JsonText, type Path, type Problem, parseJson } from './parse-json.ts';

/** The two systems of the interface, both simulated. */
export const shippedCatalog = join(import.meta.dirname, '../catalog.json');

/** The same two systems, with jobs that really run on the machine of the laptop edition. */
export const machineCatalog = join(import.meta.dirname, '../this-machine.json');

/** Reads the operator's catalog, or the one that ships. Paths are relative to the current folder. */
export function readCatalog(path: string = shippedCatalog): Catalog {
  const name = nameOf(path);
  return parseCatalog(readText(path, name), name);
}

function readText(path: string, name: string): string {
  try {
    // Some editors begin a file with a byte order mark, which is not JSON.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new InvalidCatalogError([`${name}: ${reason} (looked for ${resolve(path)})`]);
  }
}

/** Shortens a path below the current folder. */
function nameOf(path: string): string {
  const below = relative('', resolve(path));
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below;
}

/** Parses a catalog, or throws everything that is wrong with it. Each mistake begins with `file`. */
export function parseCatalog(text: string, file: string): Catalog {
  const json = parseJson(text);
  if ('mistakes' in json) {
    throw new InvalidCatalogError(json.mistakes.map((mistake) => `${file}: ${mistake}`));
  }
  const shape = judgeShape(json.value);
  const problems = [
    ...json.repeated.map((path) => ({ path, text: 'stands here twice; leave one of them out' })),
    ...('problems' in shape ? shape.problems : []),
    ...judgeRules(readDraft(json.value)),
  ];
  if ('problems' in shape || problems.length > 0) {
    throw new InvalidCatalogError(writeLines(problems, json, file));
  }
  return { systems: shape.entry.systems.map(toSystem) };
}

/** Sorts the problems by their line, whichever rule found them. */
function writeLines(problems: readonly Problem[], json: JsonText, file: string): string[] {
  return problems
    .map(({ path, text }) => ({ line: json.lineOf(path), text: `${name(path, json)} ${text}` }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => `${file}:${line}: ${text}`);
}

/** `systems[1] "mahti": limits.nodes` */
function name(path: Path, { value }: JsonText): string {
  const [top, at, ...fields] = path;
  if (path.length === 0) return 'the file';
  if (top !== 'systems' || typeof at !== 'number') return writePath(path);
  const own: unknown = Object(Object(Object(value).systems)[at]).name;
  const place = `systems[${at}]${typeof own === 'string' ? ` ${JSON.stringify(own)}` : ''}`;
  return fields.length === 0 ? place : `${place}: ${writePath(fields)}`;
}

function writePath([first = '', ...rest]: Path): string {
  const tail = rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`));
  return `${first}${tail.join('')}`;
}

function toSystem({ name, projects, welcomeQuota, ...entry }: SystemEntry): HpcSystem {
  const hpc = systemName(name);
  const [first, ...others] = projects.map((project) => toProject(hpc, project));
  if (!first) throw new Error(`${name} has no project.`);
  return {
    ...entry,
    name: hpc,
    projects: [first, ...others],
    welcomeQuota: toWelcomeQuota(welcomeQuota),
  };
}

function toWelcomeQuota({ renews, ...given }: SystemEntry['welcomeQuota']): WelcomeQuota {
  const none = { seconds: 0, kilobytes: 0 };
  return { ...given, ...(renews && { renews: { month: 1, carryOver: none, ...renews } }) };
}

function toProject(hpc: SystemName, { name, ...entry }: ProjectEntry): Project {
  return { ...entry, name: projectName(name), hpc };
}

/** Everything that is wrong with a catalog, one line each. The operator sees it without a stack. */
export class InvalidCatalogError extends Error {
  override readonly name = 'InvalidCatalogError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

type Issue = v.InferIssue<typeof CatalogSchema>;

/** Returns the catalog if all its fields have the right form, or everything that is wrong with them. */
function judgeShape(
  value: unknown,
): { readonly entry: CatalogEntry } | { readonly problems: readonly Problem[] } {
  const result = v.safeParse(CatalogSchema, value, { abortPipeEarly: true });
  if (result.success) return { entry: result.output };
  return { problems: result.issues.flatMap(describeIssue) };
}

function describeIssue(issue: Issue): Problem[] {
  const path = pathOf(issue);
  // A value that may be a word or an object: the mistakes inside of the object say more.
  const inside = issue.type === 'union' ? (issue.issues ?? []).filter((each) => each.path) : [];
  if (inside.length > 0) {
    return inside
      .flatMap(describeIssue)
      .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  }
  if (issue.type === 'strict_object' && issue.expected === 'never') return nameUnknown(issue, path);
  const found = issue.path?.at(-1)?.value ?? issue.input;
  return [{ path, text: `is ${describeFound(found)}; it must be ${issue.message}` }];
}

/** The schema stops at the first unknown field of an object, and its message lists the known ones. */
function nameUnknown(issue: Issue, path: Path): Problem[] {
  const known = issue.message.split(', ');
  const fields = Object.keys(Object(issue.path?.at(-1)?.input));
  return fields
    .filter((field) => !known.includes(field))
    .map((field) => ({ path: [...path.slice(0, -1), field], text: refuseUnknown(field, known) }));
}

function refuseUnknown(field: string, known: readonly string[]): string {
  const meant = suggestName(field, known);
  return meant === undefined
    ? `is not a field; the fields here are ${known.join(', ')}`
    : `is not a field; did you mean ${meant}?`;
}

function pathOf(issue: Issue): Path {
  return (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
}

/** Suggests the name that was probably meant: a few letters away, or different only in case. */
function suggestName(written: string, names: readonly string[]): string | undefined {
  const far = Math.max(2, Math.floor(written.length / 3));
  const [nearest] = names
    .map((name) => ({ name, steps: countSteps(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ steps }) => steps <= far)
    .sort((a, b) => a.steps - b.steps);
  return nearest?.name;
}

/** Counts the letters to insert, leave out or replace (Levenshtein). */
function countSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1;
    row = [
      left,
      ...[...to].map((other, place) => {
        const above = row[place + 1] ?? 0;
        const diagonal = row[place] ?? 0;
        left = Math.min(above + 1, left + 1, diagonal + (letter === other ? 0 : 1));
        return left;
      }),
    ];
  }
  return row.at(-1) ?? 0;
}
