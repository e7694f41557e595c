import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { tableName } from '#local/names.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { recordRun } from '#test/setup/record-run.ts';
import { type Figure, formatTable, percentile } from './measure/figures.ts';
import { startLaptopEdition } from './measure/laptop-edition.ts';
import { openTableAt } from './measure/open-table-at.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { countEnds, type Ends, judgeEnds } from './steady/count-ends.ts';
import { awaitEnds, findLimit, type Step } from './steady/find-limit.ts';
import { type Answer, type Load, openLoad } from './steady/load.ts';
import { startReceiver } from './steady/receiver.ts';
import {
  compareEnds,
  judgeAnswerTimes,
  judgeFailures,
  judgeMemory,
  keepLowest,
  type Memory,
  type MemorySample,
  type Verdict,
} from './steady/verdicts.ts';
import { watchHost } from './steady/watch-host.ts';

const reporter = join(import.meta.dirname, 'steady/report-memory.ts');
/** Of the measured limit. */
const share = 0.8;
const patienceSeconds = 300;

export const part: Part = {
  about: `Load held: measures how many rounds a second the laptop edition sustains, and then sends 80 percent of
that for half an hour, with data on disk. A round is nine requests of one of 32 users: a job with a zip,
every fourth time a batch of four, a file of an ended job, and what the open pages of the console ask
for. Jobs live on to their settlement, and a webhook hears of each end. Requests are sent at planned
moments, and answer times count from these. Exits with 1 if a request fails, if memory grows, if
answers become slower, or if a job, a webhook's event or a second of an account is missing in the end.
`,
  options: {
    minutes: { usual: 30, about: 'how long; memory is judged from 10 minutes on' },
    rounds: { about: 'rounds a second, instead of 80 percent of the limit, which is not measured' },
  },
  async measure({ count, text }) {
    const minutes = count('minutes');
    const folder = createTemporaryFolder();
    const tablePort = String(await findFreePort());
    const edition = await startLaptopEdition(folder, {
      NODE_OPTIONS: `--import=${reporter}`,
      WEBHOOKS_TO_LOOPBACK: 'true',
      DYNAMODB_PORT: tablePort,
    });
    const receiver = await startReceiver();
    const load = await openLoad(edition, receiver);
    const given = text('rounds') === undefined ? undefined : count('rounds');
    const limit = given === undefined ? await measureLimit(load) : undefined;
    const perSecond = given ?? (limit ?? Number.NaN) * share;
    const held = await hold(load, { perSecond, minutes, folder });
    await load.sendAgain();
    const drain = await awaitEnds(load, patienceSeconds);
    const table = openTableAt(`http://127.0.0.1:${tablePort}`, tableName);
    const ends = await countEnds(edition, table, load.accepted, receiver);
    table.client.destroy();
    await edition.stop();
    await receiver.close();
    const times = compareEnds(held.answers, held);
    const verdicts = [
      judgeFailures(held.answers),
      judgeMemory(held.samples),
      judgeAnswerTimes(times),
      ...judgeEnds(ends),
    ];
    process.stdout.write(`\n${describeKinds(held.answers)}\n`);
    process.stdout.write(`${describeDrain(drain, load.underWay())}\n\n`);
    process.stdout.write(describeVerdicts(verdicts));
    if (verdicts.some(({ holds }) => holds === false)) process.exitCode = 1;
    record({ minutes, limit, ends, held, verdicts, seconds: performance.now() / 1000 });
    return listFigures(limit, times, held.samples);
  },
};

async function measureLimit(load: Load): Promise<number> {
  const columns = ['rounds a second', 'p99, ms', 'failed', 'last job ended after, s'];
  process.stdout.write(`${columns.join('  ')}\n`);
  const limit = await findLimit(load, ({ perSecond, p99, failures, drain }: Step) =>
    process.stdout.write(
      alignRow(columns, [perSecond.toFixed(1), p99.toFixed(0), String(failures), drain.toFixed(1)]),
    ),
  );
  process.stdout.write(`The limit is ${limit.toFixed(1)} rounds a second.\n\n`);
  return limit;
}

interface Held {
  readonly answers: readonly Answer[];
  readonly samples: readonly MemorySample[];
  /** Percentages of the machine that its host took, minute by minute. */
  readonly stolen: readonly number[];
  readonly began: number;
  readonly ended: number;
}

interface Hold {
  readonly perSecond: number;
  readonly minutes: number;
  /** The folder in which the laptop edition records its memory. */
  readonly folder: string;
}

/** Sends the load, and prints a line every minute. */
async function hold(load: Load, { perSecond, minutes, folder }: Hold): Promise<Held> {
  process.stdout.write(`${perSecond.toFixed(1)} rounds a second for ${minutes} minutes\n`);
  const columns = [
    ...['minute', 'answers', 'failed', 'p50, ms', 'p99, ms', 'sent late p99, ms', 'under way'],
    ...['RSS, MB', 'requests, MB', 'lives, MB', 'external, MB', 'host took, %'],
  ];
  process.stdout.write(`${columns.join('  ')}\n`);
  const answers: Answer[] = [];
  const samples: MemorySample[] = [];
  const tellStolen = watchHost();
  const stolen: number[] = [];
  let told = 0;
  let lowest: Memory | undefined;
  const watch = setInterval(() => {
    lowest = keepLowest(lowest, readMemory(folder));
  }, 2000);
  const began = performance.now();
  const tellMinute = () => {
    const now = readMemory(folder);
    const sample = { minute: samples.length + 1, ...keepLowest(lowest, now) };
    lowest = undefined;
    samples.push(sample);
    const cells = describeMinute(answers.slice(told), sample, load.underWay());
    told = answers.length;
    const percent = tellStolen();
    stolen.push(percent);
    process.stdout.write(alignRow(columns, [...cells, percent.toFixed(0)]));
  };
  const clock = setInterval(tellMinute, 60_000);
  const seconds = minutes * 60;
  await load.play({ perSecond, seconds }, (answer) => void answers.push(answer));
  clearInterval(clock);
  clearInterval(watch);
  if (samples.length < minutes) tellMinute();
  return { answers, samples, stolen, began, ended: began + seconds * 1000 };
}

const RecordedMemory = v.object({ rss: v.number(), live: v.number(), external: v.number() });

function readMemory(folder: string): Memory {
  const read = (name: string) =>
    v.parse(
      v.pipe(v.string(), v.parseJson(), RecordedMemory),
      readFileSync(join(folder, name), 'utf8'),
    );
  const { rss, live, external } = read('memory.json');
  return { rss, requests: live, lives: read('memory-lives.json').live, external };
}

function describeMinute(answers: readonly Answer[], sample: MemorySample, underWay: number) {
  const times = answers.map(({ ms }) => ms);
  const late = answers.map(({ lateMs }) => lateMs);
  const failed = answers.filter(({ failure }) => failure !== undefined).length;
  const { minute, rss, requests, lives, external } = sample;
  return [
    ...[minute, times.length, failed].map(String),
    ...[0.5, 0.99].map((share) => percentile(times, share).toFixed(0)),
    percentile(late, 0.99).toFixed(0),
    String(underWay),
    ...[rss, requests, lives, external].map((bytes) => (bytes / 2 ** 20).toFixed(0)),
  ];
}

/** Aligns cells with the ends of their headings, for lines that are printed one at a time. */
function alignRow(headings: readonly string[], cells: readonly string[]): string {
  const padded = cells.map((cell, place) => cell.padStart(headings[place]?.length ?? 0));
  return `${padded.join('  ')}\n`;
}

function describeKinds(answers: readonly Answer[]): string {
  const kinds = Map.groupBy(answers, ({ kind }) => kind);
  return formatTable([
    ['', 'answers', 'p50, ms', 'p99, ms'],
    ...[...kinds].map(([kind, own]) => {
      const times = own.map(({ ms }) => ms);
      const [p50, p99] = [0.5, 0.99].map((share) => percentile(times, share).toFixed(1));
      return [kind, String(own.length), p50 ?? '', p99 ?? ''];
    }),
  ]);
}

function describeDrain(seconds: number, underWay: number): string {
  return underWay === 0
    ? `The last event arrived ${seconds.toFixed(1)} s after the last answer.`
    : `${underWay} events had not arrived ${seconds.toFixed(0)} s after the last answer.`;
}

function describeVerdicts(verdicts: readonly Verdict[]): string {
  const words = { true: 'holds', false: 'FAILS', undefined: 'too short to judge' };
  return verdicts
    .map(
      ({ name, measured, wanted, holds }) =>
        `${words[`${holds}`]}  ${name}: ${measured} (${wanted})\n`,
    )
    .join('');
}

function listFigures(
  limit: number | undefined,
  { first, last }: ReturnType<typeof compareEnds>,
  samples: readonly MemorySample[],
): Figure[] {
  const end = samples.at(-1);
  return [
    ...(limit === undefined
      ? []
      : [{ name: 'steady.limit', value: limit, unit: 'rounds a second' }]),
    { name: 'steady.p99.first', value: first, unit: 'ms' },
    { name: 'steady.p99.last', value: last, unit: 'ms' },
    { name: 'steady.p99.ratio', value: last / first },
    ...(end ? [{ name: 'steady.rss', value: end.rss / 2 ** 20, unit: 'MB' }] : []),
  ];
}

interface Played {
  readonly minutes: number;
  readonly limit: number | undefined;
  readonly ends: Ends;
  readonly held: Held;
  readonly verdicts: readonly Verdict[];
  readonly seconds: number;
}

function record({ minutes, limit, ends, held, verdicts, seconds }: Played): void {
  const { answers, stolen } = held;
  const failed = answers.filter(({ failure }) => failure !== undefined).length;
  const { accepted, settled, expectedPushes, missingPushes } = ends;
  const ofLimit = limit === undefined ? '' : `, 80 percent of the limit`;
  recordRun({
    suite: 'steady',
    tried: [
      { unit: 'requests', tried: answers.length, survived: answers.length - failed },
      { unit: 'jobs', tried: accepted, survived: Math.min(accepted, settled) },
      {
        unit: 'webhook events',
        tried: expectedPushes,
        survived: expectedPushes - missingPushes,
      },
    ],
    figures: [
      `${minutes} minutes at ${(answers.length / minutes / 60).toFixed(0)} requests a second${ofLimit}`,
      `its host took ${Math.min(...stolen).toFixed(0)} to ${Math.max(...stolen).toFixed(0)} percent of the machine`,
      // A run that failed must not look like one that held.
      ...verdicts.map(
        ({ name, measured, holds }) => `${holds === false ? 'FAILED, ' : ''}${name}: ${measured}`,
      ),
    ],
    seconds,
  });
}
