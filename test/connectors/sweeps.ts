import { setTimeout as sleep } from 'node:timers/promises';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { serviceFetches } from '#lib/catalog/service-fetches.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import type { Sweep } from '#lib/jobs/run/sweep/sweep.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Death } from './faults.ts';
import type { StagedSystem } from './staged-system.ts';

/** Short, because a scene waits for several sweeps, and long enough for a dozen scenes at once. */
const pauseMs = 400;
/** The shortest time between two checks of a job, for the same reason. */
const pollFloorSeconds = 0.2;

/** Fetches files for the jobs of all scenes, as the stream has it done. */
async function openReleasing(): Promise<() => Promise<unknown>> {
  const { waitingContext } = await import('#functions/waiting-parts.ts');
  const { sweepWaiting } = await import('#lib/jobs/chains/attend-waiting.ts');
  const { fetchParts } = await import('#lib/files/staging/fetch-parts.ts');
  const { openBucket } = await import('#functions/buckets.ts');
  const { signForService } = await import('#lib/jobs/passes/sign-object.ts');
  const fetcher = {
    fetch: fetchParts,
    sign: signForService.bind(undefined, openBucket),
    leftMs: () => 300_000,
  };
  return () => sweepWaiting({ ...waitingContext, fetcher });
}

/**
 * Sweeps one system again and again, as the schedule does. There is no breaker, which would let a
 * scene wait for a minute after an outage.
 */
export class Sweeps {
  readonly connector: Connector;
  /** How often jobs were checked. */
  lookUps = 0;
  readonly #plan: Omit<Sweep, 'connector'>;
  readonly #advance: (sweep: Sweep) => Promise<number>;
  readonly #release: () => Promise<unknown>;
  readonly #staged: StagedSystem;
  #isRunning = true;
  #isPaused = false;
  #current: Promise<unknown> = Promise.resolve();
  readonly #loop: Promise<void>;

  static async open(system: HpcSystem, staged: StagedSystem): Promise<Sweeps> {
    const { stores } = await import('#functions/sweep-parts.ts');
    const { advanceJobs } = await import('#lib/jobs/run/advance-jobs.ts');
    const plan = {
      ...stores,
      system,
      now: () => new Date(),
      windows: [],
      leftMs: () => 60_000,
      isOver: () => false,
    };
    const release = serviceFetches(system) ? await openReleasing() : async () => undefined;
    const acts = { advance: advanceJobs, release };
    return new Sweeps(plan, await openStaged(system, staged), acts, staged);
  }

  private constructor(
    plan: Omit<Sweep, 'connector'>,
    connector: Connector,
    {
      advance,
      release,
    }: { advance: (sweep: Sweep) => Promise<number>; release: () => Promise<unknown> },
    staged: StagedSystem,
  ) {
    this.#plan = plan;
    this.#advance = advance;
    this.#release = release;
    this.#staged = staged;
    this.connector = {
      ...connector,
      pollFloorSeconds,
      lookUp: (jobs) => {
        this.lookUps += 1;
        return connector.lookUp(jobs);
      },
    };
    this.#loop = this.#keepSweeping();
  }

  get table() {
    return this.#plan.table;
  }

  get files() {
    return this.#plan.files;
  }

  /** One round. Failures are in the log, as on AWS, and the next round tries again. */
  async sweep(): Promise<void> {
    await this.#release();
    await this.#advance({ ...this.#plan, connector: this.connector }).catch(() => 0);
  }

  /** Calls the function that the schedule calls, with its health check and its breaker. */
  async callSchedule(): Promise<void> {
    const { handler } = await import('#functions/schedules/track-jobs.ts');
    const event = { hpc: this.#plan.system.name };
    await handler(event, { getRemainingTimeInMillis: () => 60_000 });
  }

  /** Hands one job over, as the stream has it done. */
  async handOver(account: AccountKey, jobId: JobId): Promise<void> {
    const { advanceDue } = await import('#lib/jobs/run/advance-jobs.ts');
    const plan = { ...this.#plan, connector: this.connector };
    await advanceDue(plan, await this.#findDue(account, jobId)).catch(() => 0);
  }

  /** The same in a process that dies at one of its calls. */
  async handOverAndDie(account: AccountKey, jobId: JobId, death: Death): Promise<void> {
    const { advanceDue } = await import('#lib/jobs/run/advance-jobs.ts');
    const due = await this.#findDue(account, jobId);
    await this.#die(death, (plan) => advanceDue(plan, due));
  }

  async #findDue(account: AccountKey, jobId: JobId) {
    const { findLife } = await import('#lib/jobs/life/job-life-store.ts');
    const { jobLifeKey } = await import('#lib/table/keys.ts');
    const { dueAt = new Date() } = await findLife(this.table, account, jobId);
    return [{ ...jobLifeKey(account, jobId), dueAt: dueAt.toISOString() }];
  }

  /** Waits for the round that is under way. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#current;
  }

  resume(): void {
    this.#isPaused = false;
  }

  /** One round of a process that dies at one of its calls. */
  async sweepAndDie(death: Death): Promise<void> {
    await this.#die(death, (plan) => this.#advance(plan));
  }

  async #die(death: Death, act: (plan: Sweep) => Promise<unknown>): Promise<void> {
    const { table, files } = this.#plan;
    const { faults } = this.#staged.line;
    faults.death = death;
    const plan = {
      ...this.#plan,
      table: { name: table.name, client: makeMortal(table.client, death) },
      files: { inputs: makeMortal(files.inputs, death), results: makeMortal(files.results, death) },
      connector: this.connector,
    };
    await act(plan).catch(() => 0);
    faults.death = undefined;
  }

  /** What a new process does, and what the end of leases brings about. */
  async startOver(): Promise<void> {
    const { releaseChecks, releaseCutOff } = await import(
      '#lib/jobs/run/hand-over/waiting-jobs.ts'
    );
    const { table, system } = this.#plan;
    await releaseCutOff(table, system.name, new Date());
    await releaseChecks(table, system.name, new Date());
  }

  async close(): Promise<void> {
    this.#isRunning = false;
    await this.#loop;
  }

  async #keepSweeping(): Promise<void> {
    while (this.#isRunning) {
      if (!this.#isPaused) {
        this.#current = this.sweep();
        await this.#current;
      }
      await sleep(pauseMs);
    }
  }
}

async function openStaged(system: HpcSystem, staged: StagedSystem): Promise<Connector> {
  const { stores } = await import('#functions/sweep-parts.ts');
  const { openConnector, readConnectorOptions } = await import('#lib/hpc/open/open-connector.ts');
  const { ConnectorEnvironment, readEnvironment } = await import('#lib/config.ts');
  const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
  return staged.connect(openConnector(stores.table, system, options));
}

function makeMortal<T extends object>(target: T, death: Death): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) =>
        death.pass(async () => Reflect.apply(member, object, parameters));
    },
  });
}
