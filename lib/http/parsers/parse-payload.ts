import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import type { FieldProblem } from '../errors.ts';
import { decodeHeader } from './decode-header.ts';

/** What the `Payload` header asks for (interface 4.2). */
export type Payload = Pick<
  Submission,
  'program' | 'nodes' | 'coresPerNode' | 'requestedRuntime' | 'title' | 'extras'
>;

/** The token shares the 10,240 bytes that a gateway takes for all headers. */
const maxPayloadLength = 8192;
const maxTitleLength = 200;
/** Less is no time at all, and soon no number that the table can hold. */
const minHours = 1e-6;

type Report = (name: string, message: string) => undefined;

/** Reports every problem there is; nothing is returned exactly where something was reported. */
export function parsePayload(
  system: HpcSystem,
  header: string | undefined,
  problems: FieldProblem[],
): Payload | undefined {
  const fields = readFields(header, problems);
  if (!fields) return undefined;

  const before = problems.length;
  const report: Report = (name, message) => {
    problems.push({ location: 'payload', name, message });
    return undefined;
  };
  refuseUnknownFields(system, fields, report);
  const { field, form, maxLength } = system.program;
  const program =
    form === 'name'
      ? readName(fields, field, maxLength, report)
      : readText(fields, field, maxLength, report);
  const nodes = readWhole(fields, 'node_number', system.limits.nodes, report);
  const coresPerNode = readWhole(fields, 'core_number', system.limits.coresPerNode, report);
  const requestedRuntime = readHours(fields, 'runtime', report);
  const title = fields.has('title') ? readText(fields, 'title', maxTitleLength, report, 0) : '';
  const extras = readExtras(system, fields, report);

  const incomplete = program === undefined || nodes === undefined || coresPerNode === undefined;
  if (incomplete || requestedRuntime === undefined || title === undefined) return undefined;
  if (problems.length > before) return undefined;
  return { program, nodes, coresPerNode, requestedRuntime, title, extras };
}

/** A Map, because a field may be called `__proto__` by whoever wishes us ill. */
function readFields(
  header: string | undefined,
  problems: FieldProblem[],
): ReadonlyMap<string, unknown> | undefined {
  const refuse = (message: string) => {
    problems.push({ location: 'header', name: 'Payload', message });
    return undefined;
  };
  if (header === undefined || header.trim() === '') {
    return refuse('This header is required: a JSON object that describes the job.');
  }
  if (header.length > maxPayloadLength) {
    return refuse(`It has ${header.length} characters, and at most ${maxPayloadLength} are taken.`);
  }
  const value = parseJson(decodeHeader(header));
  if (value === undefined) return refuse('It is not valid JSON.');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse('It must be a JSON object.');
  }
  return new Map(Object.entries(value));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuseUnknownFields(
  system: HpcSystem,
  fields: ReadonlyMap<string, unknown>,
  report: Report,
): void {
  const known = new Set<string>([
    system.program.field,
    'node_number',
    'core_number',
    'runtime',
    'title',
    ...system.extraFields.map(({ name }) => name),
  ]);
  for (const name of fields.keys()) {
    if (!known.has(name)) {
      report(
        name.slice(0, 100),
        `${system.name} knows no such field. It knows: ${[...known].join(', ')}.`,
      );
    }
  }
}

function readExtras(
  system: HpcSystem,
  fields: ReadonlyMap<string, unknown>,
  report: Report,
): Record<string, string> {
  const given = system.extraFields.filter(({ name }) => fields.has(name));
  return Object.fromEntries(
    given.map(({ name, maxLength }) => [name, readText(fields, name, maxLength, report) ?? '']),
  );
}

function readText(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  maxLength: number,
  report: Report,
  minLength = 1,
): string | undefined {
  const value = fields.get(name);
  if (value === undefined) return report(name, 'This field is required.');
  if (typeof value !== 'string') return report(name, 'It must be text.');
  const text = value.trim();
  if (text.length < minLength) return report(name, 'It must not be empty.');
  const length = [...text].length;
  if (length > maxLength) {
    return report(name, `It has ${length} characters, and at most ${maxLength} are taken.`);
  }
  if (!text.isWellFormed() || hasControlCharacters(text)) {
    return report(name, 'It must not hold control characters or broken Unicode.');
  }
  return text;
}

/** Tabs and line ends belong to a script; no other control character has an honest use. */
function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text.replaceAll(/[\t\n\r]/g, ''));
}

function readName(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  maxLength: number,
  report: Report,
): string | undefined {
  const text = readText(fields, name, maxLength, report);
  if (text === undefined) return undefined;
  if (!/^[A-Za-z0-9_]+$/.test(text)) {
    return report(name, 'It must be a name of letters, digits and underscores.');
  }
  return text.toUpperCase();
}

function readWhole(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  max: number,
  report: Report,
): number | undefined {
  const value = fields.get(name);
  if (value === undefined) return report(name, 'This field is required.');
  const number = readNumber(value, /^[0-9]{1,15}$/);
  if (number === undefined || !Number.isInteger(number) || number < 1 || number > max) {
    return report(name, `It must be a whole number from 1 to ${max}.`);
  }
  return number;
}

function readHours(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  report: Report,
): number | undefined {
  const value = fields.get(name);
  if (value === undefined) return report(name, 'This field is required.');
  const hours = readNumber(value, /^[0-9]{1,30}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?$/);
  if (hours === undefined || !Number.isFinite(hours) || hours < minHours) {
    return report(name, 'It must be a number of hours above 0, for example "2.0".');
  }
  return hours;
}

/** Numbers come as text, as the interface shows them, or as JSON numbers. */
function readNumber(value: unknown, form: RegExp): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !form.test(value.trim())) return undefined;
  return Number(value.trim());
}
