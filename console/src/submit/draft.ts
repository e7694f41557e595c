import { nameMemory } from '#client/src/format/amounts/typed.ts';
import { readWhole, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { readRuntime } from '#client/src/format/times/duration.ts';
import type { BatchSubmission, System } from '#client/src/index.ts';
import { readInputAddress } from '#client/src/jobs/input-addresses.ts';
import { readOutputAddress } from '#client/src/jobs/output-addresses.ts';
import { phrase } from './words.ts';

/** The form as typed. */
export interface Draft {
  readonly hpc: string;
  readonly project: string;
  /** The command or the tool. */
  readonly program: string;
  readonly nodes: string;
  readonly cores: string;
  /** `30 min`, `2h`, `1:30:00`. */
  readonly runtime: string;
  readonly title: string;
  /** Whether it is one job, or a batch by number or by table: empty, `count` or `table`. */
  readonly many: string;
  readonly count: string;
  /** The name of a CSV file in the input. */
  readonly table: string;
  readonly maxRunning: string;
  /** The ids of jobs and batches to wait for, with spaces between them. */
  readonly after: string;
  /** Those of them that may end in any way. */
  readonly anyEnd: string;
  /** The one of them whose results become the input. */
  readonly inputFrom: string;
  /** The folder for these results. */
  readonly inputFolder: string;
  /** `leave_out` to take only those of jobs that ended well, from a batch. */
  readonly inputFailed: string;
  /** Files to fetch, one a line: `https://data.example.org/a.nc=data/a.nc`. */
  readonly inputs: string;
  /** Files to send, one a line: `results/*.nc=s3://lab-data/runs/`. */
  readonly outputs: string;
  readonly fields: Readonly<Record<string, string>>;
}

export const emptyDraft: Draft = {
  hpc: '',
  project: '',
  program: '',
  nodes: '1',
  cores: '1',
  runtime: '30 min',
  title: '',
  many: '',
  count: '10',
  table: '',
  maxRunning: '',
  after: '',
  anyEnd: '',
  inputFrom: '',
  inputFolder: '',
  inputFailed: '',
  inputs: '',
  outputs: '',
  fields: {},
};

/** Returns the field of the payload that says what to run. */
export function programFieldOf({ payload }: System): 'command' | 'tool' {
  return payload.required.includes('command') ? 'command' : 'tool';
}

/** Lists the fields that only some systems have. */
export function extraFieldsOf({ payload }: System): readonly string[] {
  return payload.optional.filter((name) => !['title', 'inputs', 'outputs'].includes(name));
}

/** The resources that a system may offer, and their options of `slipway submit`. */
export const resourceOptions: Readonly<Record<string, string>> = {
  class: 'class',
  task_number: 'tasks',
  memory: 'memory',
  gpu_number: 'gpus',
  gpu_kind: 'gpu-kind',
  image: 'image',
};

/** Lists the classes that a project may use. The first is the default. */
export function classesFor({ classes = [] }: System, project: string) {
  return classes.filter(({ projects }) => projects?.includes(project) ?? true);
}

/** Returns the chosen class or the default one, or the system if it has no classes. */
export function placeOf(system: System, { project, fields }: Draft) {
  const open = classesFor(system, project === '' ? system.default_project : project);
  return open.find(({ name }) => name === fields.class) ?? open[0] ?? system;
}

/** Returns the limits of the chosen class, or those of the system. */
export function limitsOf(system: System, draft: Draft): System['limits'] {
  return placeOf(system, draft).limits;
}

/** Finds mistakes without the service, by the service's names of the fields. */
export function judgeDraft(draft: Draft, system?: System): ReadonlyMap<string, string> {
  const wrong = new Map<string, string>();
  const { many, count, maxRunning } = draft;
  const limits = system && limitsOf(system, draft);
  judgeTexts(draft, wrong);
  for (const [name, value, most = Infinity] of [
    ['node_number', draft.nodes, limits?.node_number] as const,
    ['core_number', draft.cores, limits?.core_number] as const,
    ...(many === 'count' ? [['count', count] as const] : []),
    ...(isBatch(draft) && maxRunning !== '' ? [['max_running', maxRunning] as const] : []),
  ]) {
    const whole = readWhole(value);
    if (whole === undefined) wrong.set(name, phrase('enterWhole'));
    else if (whole > most) {
      wrong.set(name, phrase('enterAtMost', { most: writeNumber(most), hpc: system?.name ?? '' }));
    }
  }
  return wrong;
}

function judgeTexts(draft: Draft, wrong: Map<string, string>): void {
  const { runtime, many, table } = draft;
  if (readRuntime(runtime) === undefined) wrong.set('runtime', phrase('enterRuntime'));
  if (readInputs(draft).length < linesOf(draft.inputs).length) {
    wrong.set('inputs', phrase('enterInputs'));
  }
  if (readOutputs(draft).length < linesOf(draft.outputs).length) {
    wrong.set('outputs', phrase('enterOutputs'));
  }
  if (many === 'table' && table === '') {
    wrong.set('table', phrase('chooseTable'));
  }
}

/** Tells whether the draft is for many jobs as one. */
export function isBatch({ many }: Draft): boolean {
  return many === 'count' || many === 'table';
}

/** Splits a list of ids with spaces between them. */
export function splitIds(ids: string): readonly string[] {
  return ids.split(' ').filter((id) => id !== '');
}

/** Says what the job waits for, as the client takes it. Batches wait for nothing. */
export function readWaits(draft: Draft) {
  if (isBatch(draft)) return {};
  const { inputFrom } = draft;
  const inputFolder = draft.inputFolder.trim();
  const leavesOut = draft.inputFailed === 'leave_out';
  const afterAny = splitIds(draft.anyEnd);
  const after = splitIds(draft.after).filter((id) => !afterAny.includes(id) && id !== inputFrom);
  return {
    ...(after.length > 0 && { after }),
    ...(afterAny.length > 0 && { afterAny }),
    ...(inputFrom !== '' && { inputFrom, ...(inputFolder !== '' && { inputFolder }) }),
    ...(inputFrom !== '' && leavesOut && { inputFailed: 'leave_out' as const }),
  };
}

/** Lists the files to fetch, as far as their lines can be read. */
export function readInputs({ inputs }: Draft) {
  return linesOf(inputs).flatMap((line) => readInputAddress(line) ?? []);
}

/** Lists the files to send, as far as their lines can be read. */
export function readOutputs({ outputs }: Draft) {
  return linesOf(outputs).flatMap((line) => readOutputAddress(line) ?? []);
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

export function toSubmission(draft: Draft, system: System): BatchSubmission {
  const { many, count, table, maxRunning } = draft;
  const fields = Object.fromEntries(
    extraFieldsOf(system)
      .map((name) => [name, draft.fields[name] ?? ''] as const)
      .map(([name, value]) => [name, name === 'memory' ? nameMemory(value) : value] as const)
      .filter(([, value]) => value !== ''),
  );
  return {
    hpc: draft.hpc,
    ...(draft.project !== '' && { project: draft.project }),
    [programFieldOf(system)]: draft.program,
    nodes: readWhole(draft.nodes) ?? 0,
    cores: readWhole(draft.cores) ?? 0,
    runtime: readRuntime(draft.runtime) ?? 0,
    title: draft.title,
    ...(many === 'count' && { count: readWhole(count) ?? 0 }),
    ...(many === 'table' && { table }),
    ...(isBatch(draft) && maxRunning !== '' && { maxRunning: readWhole(maxRunning) ?? 0 }),
    ...readWaits(draft),
    ...(system.inputs && draft.inputs !== '' && { inputs: readInputs(draft) }),
    ...(system.outputs && draft.outputs !== '' && { outputs: readOutputs(draft) }),
    fields,
  };
}
