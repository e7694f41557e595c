export interface FakeJob {
  readonly id: number;
  /** Set for a task, or for all tasks of an array that wait. */
  readonly array?: FakeTask;
  readonly name: string;
  readonly user?: string | null;
  readonly account?: string;
  readonly cluster?: string;
  states: readonly string[];
  readonly reason?: string;
  readonly code?: number;
  readonly signal?: number;
  readonly start?: number;
  readonly end?: number;
  /** How often Slurm started it again. The accounting has a record for each run. */
  /** When it was queued, or queued again. */
  readonly submitted?: number;
  readonly restarts?: number;
  readonly minutes?: number | undefined;
  /** The seconds of all suspensions that are over, and since when it is suspended. */
  readonly suspended?: number;
  readonly suspendedAt?: number;
  /** What its one step used: seconds of the processor, and bytes. */
  readonly used?: { readonly cpu: number; readonly memory: number };
}

interface FakeTask {
  /** The number of the array. */
  readonly number: number;
  readonly task?: number;
  /** The tasks that wait, by their numbers. */
  readonly waiting?: number[];
  readonly atOnce?: number;
}

/** Shows an optional number, which older versions leave null. */
function showNumber(number: number | undefined, version: number) {
  if (version < 40) return number ?? null;
  return { set: number !== undefined, infinite: false, number: number ?? 0 };
}

/** Writes ranges like the real one, but no steps. `...` stands for the rest of a long list. */
function showTasks({ waiting = [], atOnce }: FakeTask, kept = 20): string {
  const isFirst = (task: number) => !waiting.includes(task - 1);
  const lasts = waiting.filter((task) => !waiting.includes(task + 1));
  const ranges = waiting.filter(isFirst).map((first, index) => {
    const last = lasts[index];
    return first === last ? String(first) : `${first}-${last}`;
  });
  if (ranges.length === 0) return '';
  const shown = [...ranges.slice(0, kept), ...(ranges.length > kept ? ['...'] : [])];
  return `${shown.join(',')}${atOnce === undefined ? '' : `%${atOnce}`}`;
}

export interface FakeReservation {
  readonly name: string;
  readonly flags: readonly string[];
  /** Unix seconds. */
  readonly start: number;
  readonly end: number;
}

/** As a real 22.05 shows one of all nodes. */
export function presentReservation({ name, flags, start, end }: FakeReservation, version: number) {
  const moment = (seconds: number) => (version < 40 ? seconds : showNumber(seconds, version));
  return {
    flags: [...flags, 'SPEC_NODES', 'ALL_NODES'],
    accounts: '',
    core_count: 16,
    end_time: moment(end),
    name,
    node_count: 1,
    node_list: 'node1',
    partition: '',
    start_time: moment(start),
    tres: 'cpu=16',
    users: 'root',
  };
}

/** As the queue shows it; of the hundred members of a real answer, those that say something. */
export function presentQueued(job: FakeJob, version: number) {
  const moment = (seconds = 0) =>
    version >= 40 ? { set: seconds > 0, infinite: false, number: seconds } : seconds;
  return {
    account: job.account ?? '',
    cluster: job.cluster ?? 'slipway',
    array_job_id:
      version >= 40 ? showNumber(job.array?.number ?? 0, version) : (job.array?.number ?? 0),
    array_task_id: showNumber(job.array?.task, version),
    array_task_string: job.array ? showTasks(job.array) : '',
    exit_code: presentExit(job, version),
    job_id: job.id,
    job_state: version >= 40 ? job.states : job.states[0],
    name: job.name,
    partition: 'hpc_one',
    start_time: moment(job.start),
    end_time: moment(job.end),
    restart_cnt: job.restarts ?? 0,
    suspend_time: moment(job.suspendedAt),
    pre_sus_time: moment(ranBefore(job)),
    state_reason: job.reason ?? 'None',
    time_limit: showLimit(job, version),
    user_name: job.user === undefined ? 'hpcuser1' : job.user,
  };
}

function showLimit({ minutes = 10 }: FakeJob, version: number) {
  return version >= 39 ? { set: true, infinite: false, number: minutes } : minutes;
}

/** The seconds that it had run when it was suspended last. */
function ranBefore({ suspendedAt, start = 0, suspended = 0 }: FakeJob): number {
  return suspendedAt === undefined ? 0 : suspendedAt - start - suspended;
}

/** Slurm takes suspensions out. */
function elapsedOf({ start = 0, end = 0, suspended = 0 }: FakeJob): number {
  return Math.max(0, end - start - suspended);
}

/** As the accounting shows it, which in 22.05 has every exit code as 0. */
export function presentAccounted(job: FakeJob, version: number) {
  return {
    job_id: job.id,
    array: {
      job_id: job.array?.number ?? 0,
      limits: { max: { running: { tasks: 0 } } },
      task: null,
      task_id: showNumber(job.array?.task, version),
    },
    cluster: job.cluster ?? 'slipway',
    name: job.name,
    user: job.user === undefined ? 'hpcuser1' : job.user,
    state: { current: version >= 40 ? job.states : job.states[0], reason: job.reason ?? 'None' },
    exit_code: version >= 39 ? presentExit(job, version) : { status: 'SUCCESS', return_code: 0 },
    time: {
      elapsed: elapsedOf(job),
      submission: job.submitted ?? job.start ?? 0,
      start: job.start ?? 0,
      end: job.end ?? 0,
      suspended: job.suspended ?? 0,
    },
    steps: job.used ? [presentStep(job, job.used)] : [],
    tres: {
      allocated: [{ type: 'cpu', name: null, id: 1, count: 4 }],
      requested: [{ type: 'mem', name: null, id: 2, count: 4000 }],
    },
  };
}

/** As a real 22.05 shows it: the job itself has no total, and `requested` is what was used. */
function presentStep({ end = 0 }: FakeJob, { cpu, memory }: NonNullable<FakeJob['used']>) {
  const seconds = Math.floor(cpu);
  const total = { seconds, microseconds: Math.round((cpu - seconds) * 1e6) };
  return {
    time: { elapsed: 1, end, total },
    step: { name: 'batch' },
    tres: {
      requested: { total: [{ type: 'mem', name: null, id: 2, count: memory }] },
      consumed: { total: [{ type: 'mem', name: null, id: 2, count: 0 }] },
    },
  };
}

function presentExit({ code = 0, signal = 0 }: FakeJob, version: number) {
  if (version <= 38) return code * 256 + signal;
  const status = signal > 0 ? 'SIGNALED' : code > 0 ? 'ERROR' : 'SUCCESS';
  if (version === 39) {
    return { status, return_code: code, ...(signal > 0 && { signal: { signal_id: signal } }) };
  }
  const amount = (number: number) => ({ set: true, infinite: false, number });
  return {
    status: [status],
    return_code: amount(code),
    signal: { id: { ...amount(signal), set: signal > 0 }, name: '' },
  };
}
