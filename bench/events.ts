import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';
import { startHostilePeer } from '#test/fixtures/hostile-peer.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { formatTable, median, percentile } from './measure/figures.ts';
import { describeJob, type LaptopEdition, startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const hostileEvents = ['job.submitted', 'job.stage-changed', 'job.ended'];
const patienceSeconds = 60;
const pauseMs = 100;

export const part: Part = {
  about: `Measures the time from the 201 of a submission to its event at a webhook, while two other users submit
as many jobs. In half of the rounds they have webhooks too: one that never answers, and one that
answers 101. Uses the laptop edition over HTTP.
`,
  options: {
    // A round of 80 ends before the first try at the silent receiver does.
    events: { usual: 80, about: 'how many are measured in each of the four rounds, ten a second' },
  },
  async measure({ count }) {
    const events = count('events');
    const edition = await startLaptopEdition(createTemporaryFolder(), {
      WEBHOOKS_TO_LOOPBACK: 'true',
    });
    const receiver = await startReceiver();
    const [silent, switching] = [
      await startHostilePeer('silent'),
      await startHostilePeer('switched protocols'),
    ];
    const [user, ...others] = ['1', '2', '3'].map((name) => actAsUser(edition, name));
    const [second, third] = others;
    if (!user || !second || !third) throw new Error('There are three users.');
    await user.register(receiver.url, ['job.submitted']);

    const alone: number[] = [];
    const beside: number[] = [];
    const measureInto = (times: number[], count: number) =>
      measureArrivals({ user, others, count, awaitJob: receiver.awaitJob }, times);
    // The first calls of a process are not measured.
    await measureInto([], Math.ceil(events / 3));
    for (let round = 0; round < 2; round += 1) {
      await measureInto(alone, events);
      const removals = [
        await second.register(silent.url, hostileEvents),
        await third.register(switching.url, hostileEvents),
      ];
      await Promise.all(others.map((other) => other.submit()));
      await pollUntil('the silent receiver has been called', patienceSeconds, async () =>
        silent.open > 0 ? true : undefined,
      );
      await measureInto(beside, events);
      for (const remove of removals) await remove();
    }
    await edition.stop();
    await Promise.all([receiver, silent, switching].map((peer) => peer.close()));

    const ratio = median(beside) / median(alone);
    process.stdout.write(
      formatTable([
        ['', 'p50, ms', 'p99, ms'],
        ['without them', ...describe(alone)],
        ['beside a silent receiver and one that answers 101', ...describe(beside)],
        ['ratio', ratio.toFixed(2)],
      ]),
    );
    return [
      { name: 'events.alone.p50', value: median(alone), unit: 'ms' },
      { name: 'events.beside.p50', value: median(beside), unit: 'ms' },
      { name: 'events.beside-hostile', value: ratio },
    ];
  },
};

interface Round {
  readonly user: User;
  /** Users who each submit a job for every job of `user`. */
  readonly others: readonly User[];
  readonly count: number;
  awaitJob(jobId: string): Promise<number>;
}

/** Submits at a fixed pace. Waiting for each event would lower the load when events are slow. */
async function measureArrivals(
  { user, others, count, awaitJob }: Round,
  times: number[],
): Promise<void> {
  const measureOne = async (): Promise<void> => {
    const [{ jobId, acceptedAt }] = await Promise.all([
      user.submit(),
      ...others.map((other) => other.submit()),
    ]);
    times.push((await awaitJob(jobId)) - acceptedAt);
  };
  const underWay: Promise<void>[] = [];
  for (let event = 0; event < count; event += 1) {
    underWay.push(measureOne());
    await wait(pauseMs);
  }
  await Promise.all(underWay);
}

function describe(times: readonly number[]): string[] {
  return [median(times), percentile(times, 0.99)].map((value) => value.toFixed(1));
}

type User = ReturnType<typeof actAsUser>;

const Job = v.object({ job_id: v.string() });
const Webhook = v.object({ webhook_id: v.string() });

function actAsUser({ call }: LaptopEdition, user: string) {
  return {
    /** Submits a short job. Returns its id and the moment of its 201. */
    async submit() {
      const init = { method: 'POST', headers: describeJob() };
      const { job_id: jobId } = v.parse(Job, await call(user, '/jobs/hpc_one/', init));
      return { jobId, acceptedAt: performance.now() };
    },
    /** Registers an address for these events. Returns a function that removes it. */
    async register(address: string, events: readonly string[]) {
      const body = JSON.stringify({ url: address, events });
      const headers = { 'content-type': 'application/json' };
      const made = await call(user, '/webhooks/', { method: 'POST', headers, body });
      const { webhook_id: id } = v.parse(Webhook, made);
      return async () => void (await call(user, `/webhooks/${id}/`, { method: 'DELETE' }));
    },
  };
}

const Body = v.object({ data: v.object({ job_id: v.string() }) });

/** Starts a webhook receiver that answers at once and records when each job's event arrives. */
async function startReceiver() {
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const arrivalOf = (jobId: string): PromiseWithResolvers<number> => {
    const arrival = arrivals.get(jobId) ?? Promise.withResolvers<number>();
    arrivals.set(jobId, arrival);
    return arrival;
  };
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    const { data } = v.parse(Body, await json(request));
    arrivalOf(data.job_id).resolve(arrivedAt);
    response.end();
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return {
    url: `${endpoint}/`,
    /** Resolves with the moment at which the event of a job arrives. */
    awaitJob: (jobId: string) => arrivalOf(jobId).promise,
    close,
  };
}
