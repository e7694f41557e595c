import * as v from 'valibot';
import { expect } from 'vitest';
import type { Answer } from './ask.ts';

const recordNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
const numericText = v.pipe(v.string(), v.regex(/^[0-9]+$/));
const moment = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));
const systemInBodies = v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]*$/));

/**
 * The form of `job_id` and the words of `stage`, per system (interface 2.2 and 3, design 2). An
 * address may have systems beside these.
 */
const systems: Readonly<Record<string, SystemForms>> = {
  HPC_ONE: {
    jobId: /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/,
    living: ['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT'],
    ended: ['SUCCESSFUL', 'FAILED', 'CANCELED', 'DELETED'],
  },
  HPC_TWO: {
    jobId: /^NGBW-JOB-[A-Z0-9_]+-[0-9A-F]{32}$/,
    living: ['QUEUE', 'COMMANDRENDERING', 'INPUTSTAGING', 'SUBMITTED', 'LOAD_RESULTS'],
    ended: ['COMPLETED', 'CANCELED', 'DELETED'],
  },
};

interface SystemForms {
  readonly jobId: RegExp;
  readonly living: readonly string[];
  readonly ended: readonly string[];
}

/** Interface 2.2: these fields, no more and no fewer. */
const JobShape = v.pipe(
  v.strictObject({
    id: recordNumber,
    job_id: v.string(),
    owner: numericText,
    project: recordNumber,
    project_hpc: systemInBodies,
    project_name: v.pipe(v.string(), v.minLength(1)),
    title: v.string(),
    runtime: v.number(),
    stage: v.string(),
    terminal_stage: v.boolean(),
    failed: v.boolean(),
    init_date: moment,
    end_date: v.nullable(moment),
  }),
  v.check(
    (job) => systems[job.project_hpc]?.jobId.test(job.job_id) ?? true,
    'job_id has another form',
  ),
  v.check(({ project_hpc, stage, terminal_stage }) => {
    const words = systems[project_hpc]?.[terminal_stage ? 'ended' : 'living'];
    return words?.includes(stage) ?? true;
  }, 'stage and terminal_stage do not belong together'),
  v.check((job) => job.terminal_stage === (job.end_date !== null), 'end_date is not that of stage'),
);

/** Interface 2.3. */
const QuotaShape = v.strictObject({
  id: recordNumber,
  project: recordNumber,
  project_hpc: systemInBodies,
  project_name: v.pipe(v.string(), v.minLength(1)),
  space_left: v.pipe(v.number(), v.minValue(0)),
  time_left: v.pipe(v.number(), v.integer(), v.minValue(0)),
  user: numericText,
});

/** RFC 9457 (design 2, Errors). Other members than these depend on the type. */
const ProblemShape = v.looseObject({
  type: v.pipe(v.string(), v.regex(/^urn:slipway:problem:[a-z-]+$/)),
  title: v.pipe(v.string(), v.minLength(1)),
  status: v.pipe(v.number(), v.integer()),
  detail: v.pipe(v.string(), v.minLength(1)),
  instance: v.pipe(v.string(), v.minLength(1)),
  errors: v.optional(
    v.array(
      v.strictObject({
        location: v.picklist(['payload', 'header', 'query', 'body']),
        name: v.string(),
        message: v.pipe(v.string(), v.minLength(1)),
      }),
    ),
  ),
});

export type Job = v.InferOutput<typeof JobShape>;
export type Quota = v.InferOutput<typeof QuotaShape>;
export type Problem = v.InferOutput<typeof ProblemShape>;

export function expectJob(answer: Answer, status = 200): Job {
  return expectBody(JobShape, answer, status);
}

export function expectJobs(answer: Answer): Job[] {
  return expectBody(v.array(JobShape), answer, 200);
}

export function expectQuota(answer: Answer): Quota {
  return expectBody(QuotaShape, answer, 200);
}

export function expectQuotas(answer: Answer): Quota[] {
  return expectBody(v.array(QuotaShape), answer, 200);
}

/** The one shape of errors; `named` are the wrong parts, as `location name`, in any order. */
export function expectProblem(answer: Answer, status: number, named?: readonly string[]): Problem {
  expect(answer.headers.get('content-type')).toBe('application/json');
  const problem = expectStatus(ProblemShape, answer, status);
  expect(problem.status).toBe(status);
  if (named) {
    const given = problem.errors?.map(({ location, name }) => `${location} ${name}`);
    expect(given?.sort()).toEqual([...named].sort());
  }
  return problem;
}

/** All that two problems can differ in, if they mean the same. */
export function withoutInstance({ instance: _, ...rest }: Problem): Omit<Problem, 'instance'> {
  return rest;
}

export function expectAscending(numbers: readonly number[]): void {
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
}

function expectBody<S extends v.GenericSchema>(
  shape: S,
  answer: Answer,
  status: number,
): v.InferOutput<S> {
  const body = expectStatus(shape, answer, status);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expectFloats(answer.text);
  return body;
}

function expectStatus<S extends v.GenericSchema>(
  shape: S,
  { status, text, json }: Answer,
  wanted: number,
): v.InferOutput<S> {
  expect({ status, text }).toEqual({ status: wanted, text: expect.any(String) });
  const { success, output, issues } = v.safeParse(shape, json);
  const wrong = issues?.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  expect(wrong ?? [], text.slice(0, 2000)).toEqual([]);
  if (!success) throw new Error('unreachable: the line above has thrown');
  return output;
}

/** Floats are written as such: `2.0` and never `2` (interface 2.2 and 2.3). */
function expectFloats(text: string): void {
  const written = [...text.matchAll(/"(?:runtime|space_left)":\s*([^,}\s]+)/g)];
  for (const [, number] of written) expect(number).toMatch(/^-?\d+\.\d+(e[+-]?\d+)?$|^\de-\d+$/);
}
