import * as v from 'valibot';
import { decodeText } from '../call-upstream.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';

/** An answer of Slurm. Most refusals of slurmrestd are a 500, so only Slurm's code tells them apart. */
export interface SlurmAnswer {
  /** That of HTTP. A command that succeeded has 200, any other 500. */
  readonly status: number;
  /** The parsed JSON; undefined if the answer is not JSON. */
  readonly content: unknown;
  /** Undefined if there is no list of errors, because then the answer is not Slurm's own. */
  readonly errors: readonly SlurmError[] | undefined;
}

interface SlurmError {
  readonly code: number;
  readonly text: string;
}

/** The names of the members differ between places and versions. */
const SlurmError = v.pipe(
  v.object({
    error_number: v.nullish(v.number()),
    error_code: v.nullish(v.number()),
    errno: v.nullish(v.number()),
    error: v.nullish(v.string()),
    description: v.nullish(v.string()),
  }),
  v.transform(
    ({ error_number, error_code, errno, error, description }): SlurmError => ({
      code: error_number ?? error_code ?? errno ?? 0,
      text: error ?? description ?? '',
    }),
  ),
);

const WithErrors = v.object({ errors: v.array(SlurmError) });

export function readAnswer(answer: UpstreamAnswer): SlurmAnswer {
  return readText(answer.status, decodeText(answer));
}

export function readText(status: number, text: string): SlurmAnswer {
  const content = parseJson(text);
  const result = v.safeParse(WithErrors, content);
  return { status, content, errors: result.success ? result.output.errors : undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function hasCode({ errors = [] }: SlurmAnswer, ...codes: readonly number[]): boolean {
  return errors.some(({ code }) => codes.includes(code));
}

/** ESLURM_INVALID_JOB_ID: never known, or gone since. */
export const invalidJobId = 2017;

/** Newer versions say 404; 22.05 says 500. */
export function isUnknownJob(answer: SlurmAnswer): boolean {
  if (hasCode(answer, invalidJobId)) return true;
  return answer.status === 404 && answer.errors !== undefined;
}

/** True if slurmrestd no longer serves our version, or a proxy misroutes the call. */
export function isPathGone(answer: SlurmAnswer): boolean {
  return answer.status === 404 && !hasCode(answer, invalidJobId);
}

export function isSuccess({ status }: SlurmAnswer): boolean {
  return status >= 200 && status < 300;
}
