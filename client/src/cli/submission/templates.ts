import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { openConfigFile, readSafely, writeSafely } from '../sign-in/profile.ts';
import type { Host } from '../terminal/host.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

const count = v.exactOptional(v.number());
const text = v.exactOptional(v.string());

/** The options of a submission that are worth keeping. Those about one job, such as --after, are not. */
const Kept = v.object({
  command: text,
  tool: text,
  nodes: count,
  cores: count,
  tasks: count,
  memory: text,
  gpus: count,
  gpuKind: text,
  class: text,
  image: text,
  /** Hours. */
  runtime: count,
  title: text,
  project: text,
  field: v.exactOptional(v.record(v.string(), v.string())),
  input: v.exactOptional(
    v.array(v.object({ from: v.string(), to: v.string(), sha256: v.exactOptional(v.string()) })),
  ),
  output: v.exactOptional(v.array(v.object({ files: v.string(), to: v.string() }))),
  count,
  table: text,
  maxRunning: count,
});

/** Templates of version 0.2.0 have the time in seconds. */
const Template = v.object({
  hpc: v.string(),
  /** The whole path of the folder or zip. */
  input: text,
  options: v.pipe(
    v.object({ ...Kept.entries, time: count }),
    v.transform(({ time: seconds, ...options }) =>
      seconds === undefined ? options : { runtime: seconds / 3600, ...options },
    ),
  ),
});

export type Template = v.InferOutput<typeof Template>;
export type KeptOptions = v.InferOutput<typeof Kept>;

const TemplateFile = v.object({ templates: v.record(v.string(), Template) });

/** Opens the file of templates, next to the profiles. Commands may hold secrets, so it is private. */
export function openTemplates(host: Host) {
  const path = join(dirname(openConfigFile(host).path), 'templates.json');
  const read = (): Readonly<Record<string, Template>> =>
    readSafely(path, TemplateFile, phrase('session.correctIt'))?.templates ?? {};
  const write = (templates: Readonly<Record<string, Template>>) => writeSafely(path, { templates });
  return {
    list: () => Object.entries(read()).map(([name, template]) => ({ name, ...template })),
    find: (name: string): Template => {
      const templates = read();
      const template = templates[name];
      if (template) return template;
      const names = Object.keys(templates);
      throw new CannotDo(phrase('session.youHaveNoTemplate', { name }), {
        next:
          names.length === 0
            ? phrase('session.saveOne')
            : phrase('session.templatesAre', { names: names.join(', ') }),
      });
    },
    save: (name: string, template: Template) => write({ ...read(), [name]: template }),
    remove: (name: string): boolean => {
      const { [name]: known, ...others } = read();
      if (known) write(others);
      return known !== undefined;
    },
  };
}

/** Picks the options that a template keeps. */
function keepOptions(options: Readonly<Record<string, unknown>>): KeptOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return v.parse(Kept, Object.fromEntries(given));
}

export function createTemplate(
  hpc: string,
  input: string | undefined,
  options: Readonly<Record<string, unknown>>,
): Template {
  return {
    hpc,
    ...(input !== undefined && { input: resolve(input) }),
    options: keepOptions(options),
  };
}

/** Pairs of which a submission has only one. */
const rivals = [
  ['command', 'tool'],
  ['count', 'table'],
] as const;

/** Fills in what was not typed. Typed options win, and so does the rival of a typed one. */
export function fillIn<Options extends object>(
  typed: Options,
  isTyped: (name: string) => boolean,
  { options }: Template,
): Options {
  const beaten = new Set<string>(
    rivals.flatMap(([one, other]) => [
      ...(isTyped(one) ? [other] : []),
      ...(isTyped(other) ? [one] : []),
    ]),
  );
  const kept = Object.entries(options).filter(([name]) => !isTyped(name) && !beaten.has(name));
  return { ...typed, ...Object.fromEntries(kept) };
}
