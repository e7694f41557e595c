import { randomUUID } from 'node:crypto';
import type {
  AttemptDetail,
  JobDetail,
  JobStatus,
  ListJobsCommandInput,
  SubmitJobCommandInput,
} from '@aws-sdk/client-batch';
import { type MarkedRun, startMarked } from '#test/connectors/imitations/marked-run.ts';
import {
  assertInput,
  findMisfits,
  type Inputs,
  MisfitError,
  operationsByPath,
} from './batch-model.ts';
import { type Reply, startUpstream, type Upstream } from './start-upstream.ts';

export const queueName = 'the-queue';
/** Of a class. It is always there. */
export const classQueueName = 'the-queue-of-a-class';
export const definitionName = 'the-definition';
/** The job definition of another image. */
export const imageDefinitionName = 'the-tool';

/** The words of AWS for a reclaimed host of Fargate Spot. */
export const reclaimed = 'Your Spot Task was interrupted.';

interface FakeJob {
  readonly id: string;
  readonly order: SubmitJobCommandInput;
  readonly createdAt: number;
  readonly index?: number;
  readonly children: FakeJob[];
  readonly attempts: AttemptDetail[];
  status: JobStatus;
  statusReason?: string;
  startedAt?: number;
  stoppedAt?: number;
  exitCode?: number;
  reason?: string;
  isTerminated: boolean;
  process?: MarkedRun;
}

export interface BatchServerOptions {
  /** The names of the one queue and job definition. */
  readonly queue?: string;
  readonly definition?: string;
  readonly now?: () => Date;
  /** Calls beyond this number in a second are throttled. */
  readonly callsPerSecond?: number;
  /** Runs the command of each container as a process, with these variables. */
  readonly runsCommands?: Readonly<Record<string, string>>;
  /** How long a minute of a timeout takes for containers that run. */
  readonly minuteSeconds?: number;
}

export interface BatchServer extends Upstream {
  /** How long new jobs are missing from lists. */
  lagMs: number;
  /** While it is true, no container starts. */
  isHolding: boolean;
  /** Starts the containers that were held. */
  release(): void;
  /** Ends containers that use more, if it is set. */
  mostBytes: number | undefined;
  /** The processes of a job. */
  listPids(id: string): number[];
  /** The attempts of a job that have ended. */
  attemptsOf(id: string): readonly AttemptDetail[];
  queue: { state: 'ENABLED' | 'DISABLED'; status: 'VALID' | 'INVALID' } | undefined;
  readonly throttled: number;
  /** Answers an operation without a socket. Throws if the call or the answer does not fit AWS's model. */
  answer(operation: keyof Inputs, input: object): unknown;
  /** The ids of all jobs with this name, or of all jobs; children are not among them. */
  listIds(name?: string): string[];
  /** A job itself, or the children of an array. */
  listUnits(id: string): string[];
  orderOf(id: string): SubmitJobCommandInput;
  statusOf(id: string): JobStatus;
  /** How long the last attempt of an ended job ran: 0 if it never began, or is forgotten. */
  secondsOf(id: string): number;
  /** Moves a job, or all children of an array. */
  start(id: string): void;
  end(id: string, exitCode?: number, reason?: string): void;
  /** Takes the host of a running job away. Its retry strategy says whether it starts again. */
  reclaim(id: string, why?: string): void;
  /** As AWS Batch does some days after the end of a job. */
  forget(id: string): void;
}

class Refusal extends Error {}

/** How long a container has from TERM to KILL on Fargate, unless it is set. */
const graceMs = 30_000;
const memoryCheckMs = 200;

/** TERM reaches the first process of a container, KILL all of them. */
function stop(container: MarkedRun): void {
  container.signalFirst('SIGTERM');
  setTimeout(() => container.signalAll('SIGKILL'), graceMs).unref();
}

/** AWS Batch on loopback: five operations, whose requests and answers are held against AWS's model. */
export async function startBatchServer(options: BatchServerOptions = {}): Promise<BatchServer> {
  const { now = () => new Date(), callsPerSecond, runsCommands, minuteSeconds = 60 } = options;
  const { queue: onlyQueue = queueName, definition: onlyDefinition = definitionName } = options;
  const jobs = new Map<string, FakeJob>();
  const recent: number[] = [];
  let throttled = 0;

  const find = (id: string): FakeJob => {
    const job = jobs.get(id);
    if (!job) throw new Error(`There is no job ${id}.`);
    return job;
  };
  const isKnown = (name: string | undefined) =>
    name === onlyQueue ? api.queue !== undefined : name === classQueueName;
  /** A job, or the children of an array. */
  const unitsOf = (job: FakeJob) => (job.children.length > 0 ? job.children : [job]);

  function submit(order: SubmitJobCommandInput) {
    refuseBadOrder(order);
    const id = randomUUID();
    const create = (jobId: string, index?: number): FakeJob => ({
      id: jobId,
      order,
      createdAt: now().getTime(),
      ...(index !== undefined && { index }),
      children: [],
      attempts: [],
      status: 'RUNNABLE',
      isTerminated: false,
    });
    const job = create(id);
    jobs.set(id, job);
    for (let index = 0; index < (order.arrayProperties?.size ?? 0); index += 1) {
      const child = create(`${id}:${index}`, index);
      job.children.push(child);
      jobs.set(child.id, child);
    }
    if (job.children.length > 0) job.status = 'PENDING';
    if (runsCommands && !api.isHolding) for (const unit of unitsOf(job)) run(unit, runsCommands);
    return { jobArn: `arn:aws:batch:::job/${id}`, jobName: order.jobName, jobId: id };
  }

  function refuseBadOrder({
    jobName = '',
    jobQueue,
    jobDefinition,
    ...order
  }: SubmitJobCommandInput) {
    const { containerOverrides = {}, arrayProperties, timeout } = order;
    const { size = 2 } = arrayProperties ?? {};
    const faults: [boolean, string][] = [
      [!isKnown(jobQueue), `Job queue ${jobQueue} not found.`],
      [api.queue?.state === 'DISABLED', `Job queue ${jobQueue} is disabled.`],
      [
        jobDefinition !== onlyDefinition && jobDefinition !== imageDefinitionName,
        `JobDefinition name ${jobDefinition} does not exist or is not in ACTIVE status`,
      ],
      [!/^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(jobName), 'The job name is not valid.'],
      [
        JSON.stringify(containerOverrides).length > 8192,
        'Container Overrides length must be at most 8192.',
      ],
      [size < 2 || size > 10_000, 'Array size must be between 2 and 10000.'],
      [(timeout?.attemptDurationSeconds ?? 60) < 60, 'The timeout must be at least 60 seconds.'],
    ];
    const fault = faults.find(([isWrong]) => isWrong);
    if (fault) throw new Refusal(fault[1]);
  }

  function run(job: FakeJob, variables: Readonly<Record<string, string>>): void {
    begin(job);
    const [program = '', ...parameters] = job.order.containerOverrides?.command ?? [];
    const container = startMarked({
      argv: [program, ...parameters],
      directory: '/',
      environment: {
        ...variables,
        AWS_BATCH_JOB_ID: job.id,
        AWS_BATCH_JOB_ATTEMPT: String(job.attempts.length + 1),
        ...(job.index !== undefined && { AWS_BATCH_JOB_ARRAY_INDEX: String(job.index) }),
      },
    });
    job.process = container;
    const watch = watchLimits(job, container);
    void container.ended.then(({ code, signal }) => {
      watch.stop();
      const exitCode = signal === undefined ? code : signal === 'SIGKILL' ? 137 : 143;
      if (job.process === container) finish(job, exitCode, watch.reason());
    });
  }

  /** Ends a container over its time or its memory, as AWS does. */
  function watchLimits(job: FakeJob, container: MarkedRun) {
    const seconds = job.order.timeout?.attemptDurationSeconds;
    const timer = setTimeout(
      () => {
        job.statusReason = 'Job attempt duration exceeded timeout';
        stop(container);
      },
      ((seconds ?? 86_400) / 60) * minuteSeconds * 1000,
    );
    let reason: string | undefined;
    const clock = setInterval(() => {
      if (api.mostBytes === undefined || container.measureBytes() <= api.mostBytes) return;
      reason = 'OutOfMemoryError: Container killed due to memory usage';
      container.signalAll('SIGKILL');
    }, memoryCheckMs);
    return {
      reason: () => reason,
      stop() {
        clearTimeout(timer);
        clearInterval(clock);
      },
    };
  }

  function begin(job: FakeJob): void {
    job.status = 'RUNNING';
    job.startedAt = now().getTime();
  }

  function finish(job: FakeJob, exitCode: number | undefined, reason?: string): void {
    if (hasEnded(job)) return;
    const stoppedAt = now().getTime();
    const statusReason = job.statusReason ?? 'Essential container in task exited';
    if (job.startedAt !== undefined) {
      const container = {
        ...(exitCode !== undefined && { exitCode }),
        ...(reason !== undefined && { reason }),
        logStreamName: `${onlyDefinition}/default/${job.id}`,
      };
      job.attempts.push({ container, startedAt: job.startedAt, stoppedAt, statusReason });
    }
    Object.assign(job, { stoppedAt, statusReason, exitCode, reason });
    job.status = exitCode === 0 && !job.isTerminated ? 'SUCCEEDED' : 'FAILED';
  }

  function reclaim(job: FakeJob, why: string): void {
    const before = job.process;
    delete job.process;
    before?.signalAll('SIGKILL');
    job.statusReason = why;
    finish(job, undefined);
    const { attempts = 1, evaluateOnExit = [] } = job.order.retryStrategy ?? {};
    if (job.attempts.length >= attempts || decide(evaluateOnExit, why) === 'EXIT') return;
    job.status = 'RUNNABLE';
    delete job.startedAt;
    delete job.stoppedAt;
    delete job.statusReason;
    if (runsCommands) run(job, runsCommands);
  }

  function describe(ids: readonly string[]) {
    if (ids.length > 100) throw new Refusal('At most 100 jobs can be described.');
    return { jobs: ids.flatMap((id) => (jobs.has(id) ? [detailOf(find(id))] : [])) };
  }

  function detailOf(job: FakeJob): JobDetail {
    const { order, children } = job;
    const { startedAt = 0, stoppedAt, statusReason, exitCode, reason, attempts } = job;
    return {
      jobArn: `arn:aws:batch:::job/${job.id}`,
      jobId: job.id,
      jobName: order.jobName,
      jobQueue: order.jobQueue,
      jobDefinition: order.jobDefinition,
      status: statusOfJob(job),
      createdAt: job.createdAt,
      startedAt,
      ...(stoppedAt !== undefined && { stoppedAt }),
      ...(statusReason !== undefined && { statusReason }),
      attempts,
      container: {
        ...(exitCode !== undefined && { exitCode }),
        ...(reason !== undefined && { reason }),
      },
      ...(children.length > 0 && {
        arrayProperties: { size: children.length, statusSummary: countStates(children) },
      }),
      ...(job.index !== undefined && { arrayProperties: { index: job.index } }),
      isTerminated: job.isTerminated,
      isCancelled: false,
    };
  }

  /** Names match in any case, and by their beginning before an asterisk. The newest come first. */
  function list({ jobQueue, filters = [], nextToken }: ListJobsCommandInput) {
    if (!isKnown(jobQueue)) throw new Refusal(`Job queue ${jobQueue} not found.`);
    const [wanted = ''] = filters.find(({ name }) => name === 'JOB_NAME')?.values ?? [];
    const beginning = wanted.toLowerCase().replace(/\*$/, '');
    const isWanted = (name: string) =>
      wanted.endsWith('*') ? name.startsWith(beginning) : name === beginning;
    const seen = [...jobs.values()]
      .filter(
        ({ index, order }) =>
          index === undefined &&
          order.jobQueue === jobQueue &&
          isWanted(String(order.jobName).toLowerCase()),
      )
      .filter(({ createdAt }) => createdAt + api.lagMs <= now().getTime())
      .toReversed();
    const from = Number(nextToken ?? 0);
    const page = seen.slice(from, from + 100);
    return {
      jobSummaryList: page.map((job) => ({
        jobId: job.id,
        jobName: job.order.jobName,
        createdAt: job.createdAt,
        status: statusOfJob(job),
        ...(job.children.length > 0 && { arrayProperties: { size: job.children.length } }),
      })),
      ...(from + 100 < seen.length && { nextToken: String(from + 100) }),
    };
  }

  /** Harmless for a job that has ended, as with AWS. */
  function terminate(id: string, reason: string) {
    const known = jobs.has(id) ? unitsOf(find(id)) : [];
    for (const job of known.filter((each) => !hasEnded(each))) {
      job.isTerminated = true;
      job.statusReason = reason;
      if (job.process) stop(job.process);
      else finish(job, job.startedAt === undefined ? undefined : 143);
    }
    return {};
  }

  function describeQueues() {
    return {
      jobQueues: api.queue
        ? [
            {
              jobQueueName: onlyQueue,
              jobQueueArn: `arn:aws:batch:::job-queue/${onlyQueue}`,
              priority: 1,
              computeEnvironmentOrder: [],
              ...api.queue,
            },
          ]
        : [],
    };
  }

  const answers: { readonly [Name in keyof Inputs]: (input: Inputs[Name]) => unknown } = {
    SubmitJob: submit,
    DescribeJobs: ({ jobs: ids = [] }) => describe(ids),
    ListJobs: list,
    TerminateJob: ({ jobId = '', reason = '' }) => terminate(jobId, reason),
    DescribeJobQueues: describeQueues,
  };

  /** Returns the answer as JSON. */
  function answer<Name extends keyof Inputs>(operation: Name, input: unknown): string {
    assertInput(operation, input);
    const output = answers[operation](input);
    const wrong = findMisfits(operation, 'output', output);
    if (wrong.length > 0) throw new Error(`Imitation: ${wrong.join('; ')}`);
    return JSON.stringify(output);
  }

  const isOperation = (name: string): name is keyof Inputs => name in answers;

  function isTooFast(): boolean {
    if (callsPerSecond === undefined) return false;
    const at = performance.now();
    while ((recent[0] ?? at) < at - 1000) recent.shift();
    if (recent.length >= callsPerSecond) return true;
    recent.push(at);
    return false;
  }

  const upstream = await startUpstream(({ path, body }): Reply => {
    const operation = operationsByPath.get(path) ?? '';
    if (isTooFast()) {
      throttled += 1;
      return refuse(429, 'TooManyRequestsException', 'Too Many Requests');
    }
    if (!isOperation(operation)) return refuse(404, 'NotFoundException', `There is no ${path}.`);
    try {
      const output = answer(operation, JSON.parse(body.toString() || '{}'));
      return { status: 200, headers: json, body: output };
    } catch (error) {
      if (error instanceof MisfitError) return refuse(400, 'ValidationException', error.message);
      if (error instanceof Refusal) return refuse(400, 'ClientException', error.message);
      return refuse(500, 'ServerException', String(error));
    }
  });

  const api: BatchServer = {
    ...upstream,
    lagMs: 0,
    isHolding: false,
    release() {
      api.isHolding = false;
      for (const job of jobs.values()) {
        if (runsCommands && job.status === 'RUNNABLE' && !job.process) run(job, runsCommands);
      }
    },
    mostBytes: undefined,
    listPids: (id) => unitsOf(find(id)).flatMap((unit) => unit.process?.listPids() ?? []),
    attemptsOf: (id) => find(id).attempts,
    queue: { state: 'ENABLED', status: 'VALID' },
    get throttled() {
      return throttled;
    },
    answer: (operation, input) => JSON.parse(answer(operation, JSON.parse(JSON.stringify(input)))),
    listIds: (name) =>
      [...jobs.values()]
        .filter(
          ({ index, order }) => index === undefined && (name ?? order.jobName) === order.jobName,
        )
        .map(({ id }) => id),
    listUnits: (id) => unitsOf(find(id)).map((unit) => unit.id),
    orderOf: (id) => find(id).order,
    statusOf: (id) => statusOfJob(find(id)),
    secondsOf(id) {
      const { startedAt, stoppedAt = Number.NaN } = jobs.get(id) ?? {};
      return startedAt === undefined ? 0 : (stoppedAt - startedAt) / 1000;
    },
    start: (id) => unitsOf(find(id)).forEach(begin),
    end: (id, exitCode = 0, reason) => {
      for (const job of unitsOf(find(id))) finish(job, exitCode, reason);
    },
    reclaim: (id, why = reclaimed) => {
      for (const job of unitsOf(find(id))) reclaim(job, why);
    },
    forget(id) {
      for (const { id: child } of find(id).children) jobs.delete(child);
      jobs.delete(id);
    },
    close() {
      for (const job of jobs.values()) job.process?.signalAll('SIGKILL');
      upstream.close();
    },
  };
  return api;
}

const json = { 'content-type': 'application/json' };

function refuse(status: number, kind: string, message: string): Reply {
  const headers = { ...json, 'x-amzn-errortype': kind };
  return { status, headers, body: JSON.stringify({ message }) };
}

/** AWS's rule: the first match decides, and a run that matches nothing is repeated. */
function decide(
  rules: NonNullable<NonNullable<SubmitJobCommandInput['retryStrategy']>['evaluateOnExit']>,
  statusReason: string,
) {
  const fits = (pattern: string | undefined, text: string | undefined) =>
    pattern === undefined ||
    (text !== undefined &&
      (pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern));
  const rule = rules.find(
    ({ onStatusReason, onReason, onExitCode }) =>
      fits(onStatusReason, statusReason) &&
      fits(onReason, undefined) &&
      fits(onExitCode, undefined),
  );
  return rule?.action ?? 'RETRY';
}

function hasEnded({ status }: FakeJob): boolean {
  return status === 'SUCCEEDED' || status === 'FAILED';
}

function statusOfJob({ status, children }: FakeJob): JobStatus {
  if (children.length === 0) return status;
  if (!children.every(hasEnded)) return 'PENDING';
  return children.every((child) => child.status === 'SUCCEEDED') ? 'SUCCEEDED' : 'FAILED';
}

function countStates(children: readonly FakeJob[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of children) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
