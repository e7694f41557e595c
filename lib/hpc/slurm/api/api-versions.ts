import type { SubmitBody } from '../submit/submit-bodies.ts';
import { buildCurrentBody, buildOldBody, buildTransitionalBody } from '../submit/submit-bodies.ts';

/** What differs between the versions of the interface when a job is handed over. */
export interface ApiVersion {
  /** The N of v0.0.N. */
  readonly number: number;
  readonly buildBody: SubmitBody;
}

/**
 * What differs in the answers (states as a word or a list, exit codes and times as numbers or
 * structs) is told by its shape, in job-record.ts: 0.0.39 mixes both.
 */
export const apiVersions: readonly ApiVersion[] = [
  { number: 37, buildBody: buildOldBody },
  { number: 38, buildBody: buildOldBody },
  { number: 39, buildBody: buildTransitionalBody },
  { number: 40, buildBody: buildTransitionalBody },
  { number: 41, buildBody: buildCurrentBody },
  { number: 42, buildBody: buildCurrentBody },
  { number: 43, buildBody: buildCurrentBody },
];
