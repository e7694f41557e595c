import { type Draft, emptyDraft } from './draft.ts';
import type { Input } from './input/prepare-input.ts';

const lastKey = 'slipway-last-submission';
const draftsKey = 'slipway-submissions';
const mostDrafts = 50;

/** What was submitted from this tab, with its input: the service does not give inputs back. */
const inputs = new Map<string, Input | undefined>();

/** The last submission is the next one's default. */
export function recallLast(): Draft {
  return readJson(lastKey, emptyDraft);
}

/** What a job was asked for, where it was submitted from this browser. */
export function recallSubmission(
  jobId: string,
): { readonly draft: Draft; readonly input: Input | undefined } | undefined {
  const draft = readJson<Record<string, Draft>>(draftsKey, {})[jobId];
  return draft && { draft, input: inputs.get(jobId) };
}

export function rememberSubmission(jobId: string, draft: Draft, input: Input | undefined): void {
  inputs.set(jobId, input);
  localStorage.setItem(lastKey, JSON.stringify({ ...draft, title: '' }));
  const drafts = Object.entries(readJson<Record<string, Draft>>(draftsKey, {}));
  const kept = [...drafts.slice(1 - mostDrafts), [jobId, draft] as const];
  localStorage.setItem(draftsKey, JSON.stringify(Object.fromEntries(kept)));
}

function readJson<Value>(key: string, usual: Value): Value {
  const text = localStorage.getItem(key);
  return text === null ? usual : { ...usual, ...JSON.parse(text) };
}
