import { writeExactDuration, writeExactMemory } from '#client/src/format/amounts/typed.ts';
import { describeInput, programOf } from '#client/src/format/jobs/describe-request.ts';
import type { JobWithRequest } from '#client/src/index.ts';
import { writeInputAddress } from '#client/src/jobs/input-addresses.ts';
import { writeOutputAddress } from '#client/src/jobs/output-addresses.ts';
import { systemOf } from '../browser/address.ts';
import { recallInputNames, rememberInput } from '../browser/input-names.ts';
import { forgetStored, isRecord, readStored, store } from '../browser/stored.ts';
import { type Catalog, openProjects } from '../live/catalog.ts';
import { type Draft, emptyDraft } from './draft.ts';
import type { Input } from './prepare-input.ts';
import { phrase } from './words.ts';

export interface Beginning {
  readonly draft: Draft;
  readonly input: Input | undefined;
  /** Names what could not be restored and must be filled in again. */
  readonly missing: string | undefined;
}

/** Starts with the last submission of this user. */
export function beginDraft(user: string, catalog: Catalog): Beginning {
  return beginWith(recallLast(user), catalog);
}

/** Starts with the last submission, as a job that takes the results of a job or batch. */
export function beginFrom(id: string, user: string, catalog: Catalog): Beginning {
  const draft = { ...recallLast(user), ...noWaits, after: id, inputFrom: id };
  return beginWith(draft, catalog);
}

/** Starts with a job that was submitted from this browser. */
export function beginAgain(jobId: string, catalog: Catalog): Beginning | undefined {
  const known = recallSubmission(jobId);
  return (
    known && {
      draft: complete(known.draft, catalog),
      input: known.input,
      missing:
        known.input || recallInputNames(jobId).size === 0 ? undefined : phrase('inputNotKept'),
    }
  );
}

/** Starts with a template. */
export function beginWith(draft: Draft, catalog: Catalog): Beginning {
  return { draft: complete(draft, catalog), input: undefined, missing: undefined };
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

/** Starts with what the service knows of a job. Only its input must be dropped again. */
export function draftFromJob(job: JobWithRequest): Beginning {
  const { request } = job;
  const draft = {
    ...emptyDraft,
    hpc: systemOf(job),
    project: job.project_name,
    runtime: writeExactDuration(job.runtime * 3600),
    title: job.title,
  };
  if (!request) {
    return { draft, input: undefined, missing: phrase('nobodyKnows') };
  }
  const {
    task_number,
    memory,
    gpu_number,
    gpu_kind,
    class: className,
    image,
    fields,
    inputs = [],
    outputs = [],
  } = request;
  const resources = {
    task_number,
    memory: memory && writeExactMemory(memory),
    gpu_number,
    gpu_kind,
    class: className,
    image,
  };
  return {
    draft: {
      ...draft,
      program: programOf(request),
      nodes: String(request.node_number),
      cores: String(request.core_number),
      inputs: inputs.map(writeInputAddress).join('\n'),
      outputs: outputs.map(writeOutputAddress).join('\n'),
      fields: {
        ...fields,
        ...Object.fromEntries(
          Object.entries(resources).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, String(value)]],
          ),
        ),
      },
    },
    input: undefined,
    missing: request.input ? phrase('dropAgain', { input: describeInput(request) }) : undefined,
  };
}

const formKey = 'slipway-form';

/** The input of the form that was left, which outlives a page but not a reload. */
let keptInput: Input | undefined;

/** Whose form it is. `of` names the job that is run again or the template, or is empty. */
export interface FormKey {
  readonly user: string;
  readonly of: string;
}

/**
 * Keeps the form until it is submitted or the tab is closed, so that Back, a reload or a new sign-in
 * loses nothing that somebody typed. Somebody else who signs in here does not get it.
 */
export function keepForm({ user, of }: FormKey, draft: Draft, input: Input | undefined): void {
  keptInput = input;
  store('tab', formKey, { user, of, draft, input: input?.filename });
}

function forgetForm(): void {
  keptInput = undefined;
  forgetStored('tab', formKey);
}

/** Returns the form that was left. Undefined if it was submitted, or is another one. */
export function recallForm({ user, of }: FormKey, catalog: Catalog): Beginning | undefined {
  const kept = readStored('tab', formKey);
  if (!isRecord(kept) || kept.user !== user || kept.of !== of) return undefined;
  const { input } = kept;
  const isLost = typeof input === 'string' && keptInput === undefined;
  return {
    draft: complete(toDraft(kept.draft), catalog),
    input: keptInput,
    missing: isLost ? phrase('filesNotKept', { input }) : undefined,
  };
}

/** Several people may sign in with one browser, and nobody else should get somebody's command. */
function lastKeyOf(user: string): string {
  return `slipway-last-submission-${user}`;
}

const draftsKey = 'slipway-submissions';
const mostDrafts = 50;

/** The inputs submitted from this tab, because the service does not return them. */
const inputs = new Map<string, Input | undefined>();

export function recallLast(user: string): Draft {
  return toDraft(readStored('browser', lastKeyOf(user)));
}

/** Returns what was submitted for a job, if it was from this browser. */
export function recallSubmission(
  jobId: string,
): { readonly draft: Draft; readonly input: Input | undefined } | undefined {
  const draft = readDrafts()[jobId];
  return isRecord(draft) ? { draft: toDraft(draft), input: inputs.get(jobId) } : undefined;
}

/** A form that waits for nothing, because waits belong to one job. */
export const noWaits = { after: '', anyEnd: '', inputFrom: '', inputFolder: '', inputFailed: '' };

/** Keeps what a user submitted, as a job or a batch with this id. */
export function rememberSubmission(
  { user, of }: FormKey,
  draft: Draft,
  input: Input | undefined,
): void {
  forgetForm();
  inputs.set(of, input);
  if (input)
    rememberInput(
      of,
      input.files.map(({ name }) => name),
    );
  // The next job is a single one again, because a batch by mistake would be costly.
  store('browser', lastKeyOf(user), { ...draft, title: '', many: '', ...noWaits });
  const kept = [...Object.entries(readDrafts()).slice(1 - mostDrafts), [of, draft] as const];
  store('browser', draftsKey, Object.fromEntries(kept));
}

function readDrafts(): Readonly<Record<string, unknown>> {
  const stored = readStored('browser', draftsKey);
  return isRecord(stored) ? stored : {};
}

/** Takes the fields that are text, and the defaults for the others. Old drafts have a `time`. */
export function toDraft(stored: unknown): Draft {
  if (!isRecord(stored)) return emptyDraft;
  const fields = isRecord(stored.fields) ? Object.entries(stored.fields) : [];
  const texts = Object.entries({ runtime: stored.time, ...stored }).filter(isText);
  return {
    ...emptyDraft,
    ...Object.fromEntries(texts.filter(([name]) => name in emptyDraft)),
    fields: Object.fromEntries(fields.filter(isText)),
  };
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}
