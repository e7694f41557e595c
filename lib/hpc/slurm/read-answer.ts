import * as v from 'valibot';
import { decodeText } from '../call-upstream.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';

/** An answer of slurmrestd. Its status says little: most refusals are a 500, told by their code. */
export interface SlurmAnswer {
  readonly status: number;
  /** The parsed JSON; nothing where the answer is none. */
  readonly content: unknown;
  /** Nothing where the answer has no list of errors, so that it is not Slurm's own. */
  readonly errors: readonly SlurmError[] | undefined;
}

export interface SlurmError {
  readonly code: number;
  readonly text: string;
}

/** The members have other names from place to place and from version to version. */
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
  const content = parseJson(decodeText(answer));
  const result = v.safeParse(WithErrors, content);
  return {
    status: answer.status,
    content,
    errors: result.success ? result.output.errors : undefined,
  };
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
const invalidJobId = 2017;

/** Newer versions say 404; 22.05 says 500. */
export function isUnknownJob(answer: SlurmAnswer): boolean {
  if (hasCode(answer, invalidJobId)) return true;
  return answer.status === 404 && answer.errors !== undefined;
}

/** The version that we speak is served no more (or a proxy has lost its way). */
export function isPathGone(answer: SlurmAnswer): boolean {
  return answer.status === 404 && !hasCode(answer, invalidJobId);
}

export function isSuccess({ status }: SlurmAnswer): boolean {
  return status >= 200 && status < 300;
}
