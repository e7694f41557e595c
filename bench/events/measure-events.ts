import { setTimeout as wait } from 'node:timers/promises';
import { startHostilePeer } from '#test/fixtures/hostile-peer.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { formatTable } from '../measure/format-table.ts';
import { median, percentile } from '../measure/percentile.ts';
import { readCount, runPart } from '../measure/run-part.ts';
import { startLaptopEdition } from '../measure/start-laptop-edition.ts';
import { createTemporaryFolder } from '../measure/temporary-folder.ts';
import { actAsUser, type User } from './act-as-user.ts';
import { startReceiver } from './start-receiver.ts';

const help = `How long after the 201 of a submission its event arrives at a webhook, while two other users
submit as many jobs: without webhooks of theirs, and with a receiver of one of them that never
answers and one of the other that answers 101. Both are measured in turn, twice, with the laptop
edition over HTTP.

  npm run -s bench:events -- [--events 80] [--json FILE]

  --events        how many events are measured in each of the four rounds, ten a second (default 80:
                  a round then ends before the first try at the silent receiver does)
`;

const hostileEvents = ['job.submitted', 'job.stage-changed', 'job.ended'];
const patienceSeconds = 60;
const pauseMs = 100;

await runPart({
  help,
  options: { events: { type: 'string' } },
  async measure(wishes) {
    const events = readCount(wishes, 'events', 80);
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
    // What a process does for the first time is no part of it.
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
    receiver.close();
    await Promise.all([silent.close(), switching.close()]);

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
});

interface Round {
  readonly user: User;
  /** Submit a job of their own for each of the user's. */
  readonly others: readonly User[];
  readonly count: number;
  awaitJob(jobId: string): Promise<number>;
}

/** At a pace of its own: whoever waited for each event would submit the less the longer it takes. */
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
