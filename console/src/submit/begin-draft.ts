import { readDuration, writeDuration } from '#client/src/format/duration.ts';
import type { Job, System } from '#client/src/index.ts';
import { systemOf } from '../browser/address.ts';
import { isRecord, readStored, store } from '../browser/stored.ts';
import { type Catalog, openProjects } from '../live/catalog.ts';
import { type Draft, emptyDraft, programFieldOf } from './draft.ts';
import type { Input } from './prepare-input.ts';

export interface Beginning {
  readonly draft: Draft;
  readonly input: Input | undefined;
  /** Names what could not be restored and must be filled in again. */
  readonly missing: string | undefined;
}

/** Starts with the last submission. */
export function beginDraft(catalog: Catalog): Beginning {
  return { draft: complete(recallLast(), catalog), input: undefined, missing: undefined };
}

/** Starts with a job that was submitted from this browser. */
export function beginAgain(jobId: string, catalog: Catalog): Beginning | undefined {
  const known = recallSubmission(jobId);
  return (
    known && {
      draft: complete(known.draft, catalog),
      input: known.input,
      missing: known.input
        ? undefined
        : 'The input was not kept. Drop it again if the job had one.',
    }
  );
}

/** Drops a system or project that has since been removed or closed. */
function complete(begun: Draft, catalog: Catalog): Draft {
  const { systems } = catalog;
  const system = systems.find(({ name }) => name === begun.hpc);
  if (!system) return { ...begun, hpc: systems[0]?.name ?? '', project: '' };
  const isOpen = openProjects(catalog).some(
    ({ project_hpc: hpc, project_name: name }) =>
      hpc === system.project_hpc && name === begun.project,
  );
  return isOpen ? begun : { ...begun, project: '' };
}

/**
 * Starts with what the service knows of a job: its project, time, title and, if they follow from its
 * hold, its nodes. The rest must be filled in again.
 */
export function draftFromJob(job: Job, held: number, system: System): Beginning {
  const nodes = countNodes(job, held, system);
  const missing = [
    programFieldOf(system),
    ...(nodes === undefined ? ['nodes'] : []),
    'cores',
    'input',
  ];
  return {
    draft: {
      ...emptyDraft,
      hpc: systemOf(job),
      project: job.project_name,
      time: writeTime(job.runtime * 3600),
      title: job.title,
      ...(nodes !== undefined && { nodes: String(nodes) }),
    },
    input: undefined,
    missing: `This job was not submitted from this browser. Fill in its ${missing.slice(0, -1).join(', ')} and ${missing.at(-1)} again.`,
  };
}

function countNodes({ runtime }: Job, held: number, { charging }: System): number | undefined {
  const nodes = held / (runtime * 3600);
  return charging === 'node' && Number.isInteger(nodes) && nodes > 0 ? nodes : undefined;
}

/** Writes a time as people do, unless that would round it. */
function writeTime(seconds: number): string {
  const written = writeDuration(seconds);
  return readDuration(written) === seconds ? written : `${seconds / 3600} h`;
}

const lastKey = 'slipway-last-submission';
const draftsKey = 'slipway-submissions';
const mostDrafts = 50;

/** The inputs submitted from this tab, because the service does not return them. */
const inputs = new Map<string, Input | undefined>();

export function recallLast(): Draft {
  return toDraft(readStored('browser', lastKey));
}

/** Returns what was submitted for a job, if it was from this browser. */
export function recallSubmission(
  jobId: string,
): { readonly draft: Draft; readonly input: Input | undefined } | undefined {
  const draft = readDrafts()[jobId];
  return isRecord(draft) ? { draft: toDraft(draft), input: inputs.get(jobId) } : undefined;
}

const noWaits = { after: '', anyEnd: '', inputFrom: '', inputFolder: '' };

export function rememberSubmission(jobId: string, draft: Draft, input: Input | undefined): void {
  inputs.set(jobId, input);
  // The next job is a single one again, because a batch by mistake would be costly.
  store('browser', lastKey, { ...draft, title: '', many: '', ...noWaits });
  const kept = [...Object.entries(readDrafts()).slice(1 - mostDrafts), [jobId, draft] as const];
  store('browser', draftsKey, Object.fromEntries(kept));
}

function readDrafts(): Readonly<Record<string, unknown>> {
  const stored = readStored('browser', draftsKey);
  return isRecord(stored) ? stored : {};
}

/** Takes the fields that are text, and the defaults for the others. */
function toDraft(stored: unknown): Draft {
  if (!isRecord(stored)) return emptyDraft;
  const text = (name: Exclude<keyof Draft, 'fields'>) => {
    const value = stored[name];
    return typeof value === 'string' ? value : emptyDraft[name];
  };
  const fields = isRecord(stored.fields) ? Object.entries(stored.fields) : [];
  return {
    hpc: text('hpc'),
    project: text('project'),
    program: text('program'),
    nodes: text('nodes'),
    cores: text('cores'),
    time: text('time'),
    title: text('title'),
    many: text('many'),
    count: text('count'),
    table: text('table'),
    maxRunning: text('maxRunning'),
    after: text('after'),
    anyEnd: text('anyEnd'),
    inputFrom: text('inputFrom'),
    inputFolder: text('inputFolder'),
    fields: Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    ),
  };
}
