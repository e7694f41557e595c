import { isRecord, readStored, store } from '../storage/stored.ts';
import { type Draft, emptyDraft } from './draft.ts';
import type { Input } from './input/prepare-input.ts';

const lastKey = 'slipway-last-submission';
const draftsKey = 'slipway-submissions';
const mostDrafts = 50;

/** What was submitted from this tab, with its input: the service does not give inputs back. */
const inputs = new Map<string, Input | undefined>();

/** The last submission is the next one's default. */
export function recallLast(): Draft {
  return toDraft(readStored('browser', lastKey));
}

/** What a job was asked for, where it was submitted from this browser. */
export function recallSubmission(
  jobId: string,
): { readonly draft: Draft; readonly input: Input | undefined } | undefined {
  const draft = readDrafts()[jobId];
  return isRecord(draft) ? { draft: toDraft(draft), input: inputs.get(jobId) } : undefined;
}

export function rememberSubmission(jobId: string, draft: Draft, input: Input | undefined): void {
  inputs.set(jobId, input);
  store('browser', lastKey, { ...draft, title: '' });
  const kept = [...Object.entries(readDrafts()).slice(1 - mostDrafts), [jobId, draft] as const];
  store('browser', draftsKey, Object.fromEntries(kept));
}

function readDrafts(): Readonly<Record<string, unknown>> {
  const stored = readStored('browser', draftsKey);
  return isRecord(stored) ? stored : {};
}

/** Takes the fields that are text, and the usual value for each of the others. */
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
    fields: Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    ),
  };
}
