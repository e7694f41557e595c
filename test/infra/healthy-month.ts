import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { usualUsage } from '#tools/costs/compute-costs.ts';
import { createRandom } from '../faults/fault.ts';
import type { DeployedAlarms } from '../fixtures/alarms/deployed-alarms.ts';
import { bucketMs, MetricData } from '../fixtures/alarms/metric-data.ts';

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

/** A month of thirty days. */
export const month = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) } as const;

const jobs = 100_000;

/** What a month has that is no trouble of the service, and must ring nobody. */
export const calmEvents = [
  '400 refused requests, which are no 5xx',
  '300 jobs of users that failed',
  'an answer with 5xx every other day, and two of them at once',
  'a function that answers crashed once, and one in the background twice',
  'a table that was busy for a moment, twice',
  'an announced maintenance of a system for six hours',
  'a system that did not answer for ten minutes at night',
  'requests for files that took 12 seconds',
  'slow starts of functions after a deployment',
] as const;

/**
 * Makes the figures of a month with 100,000 jobs, as `npm run costs` counts their requests, by day
 * and night and with fewer at weekends.
 */
export function makeHealthyMonth(alarms: DeployedAlarms): MetricData {
  const data = new MetricData();
  const random = createRandom(20_261_101);
  const { looksPerJob, pagesPerJob, quotaLooksPerJob } = usualUsage;
  const requests = jobs * (1 + looksPerJob + pagesPerJob + quotaLooksPerJob);
  const shares = listShares();
  const whole = shares.reduce((sum, { share }) => sum + share, 0);
  const [count, errors, latency] = ['Count', '5xx', 'Latency'].map((name) => alarms.metric(name));
  if (!count || !errors || !latency) throw new Error('The gateway is not watched.');
  for (const { at, share } of shares) {
    const asked = Math.max(1, Math.round((requests * share * (0.9 + 0.2 * random())) / whole));
    const slow = random() < 0.05 ? 1 + Math.floor(random() * 4) : 0;
    data.add(count, at, 1, asked);
    data.add(errors, at, 0, asked);
    data.add(latency, at, 60, asked);
    // Loading a function after a pause.
    data.add(latency, at, 4_000, slow);
    data.add(count, at, 1, slow);
    addRuns(data, alarms, at, random);
  }
  addCalmEvents(data, alarms);
  return data;
}

/** How much of the month's work comes in each period of five minutes. */
function listShares(): { readonly at: number; readonly share: number }[] {
  const periods = (month.to - month.from) / bucketMs;
  return Array.from({ length: periods }, (_, place) => {
    const at = month.from + place * bucketMs;
    const hours = (at % day) / hour;
    const isWeekend = [0, 6].includes(new Date(at).getUTCDay());
    // Few at four in the night, most at four in the afternoon.
    const share = 1.1 - Math.cos(((hours - 4) / 24) * 2 * Math.PI);
    return { at, share: isWeekend ? share / 3 : share };
  });
}

/** Runs by the clock, reads of the stream, empty queues. */
function addRuns(data: MetricData, alarms: DeployedAlarms, at: number, random: () => number) {
  for (const [name, { everyMinutes }] of Object.entries(schedules)) {
    const runs = at % (everyMinutes * minute) < bucketMs ? Math.max(1, 5 / everyMinutes) : 0;
    if (runs > 0) data.add(alarms.metric('Invocations', name), at, 1, runs);
  }
  for (const name of Object.keys(streams)) {
    data.add(alarms.metric('IteratorAge', name), at, Math.round(200 + 2_000 * random()));
  }
  for (const queue of alarms.queues.values()) data.add(queue, at, 0);
  data.add(alarms.metric('Throttles'), at, 0);
  for (const waits of alarms.metrics('OldestDueSeconds')) {
    data.add(waits, at, Math.round(5 + 80 * random()));
  }
  if (random() < 0.02) data.add(alarms.metric('PartitionGigabytes'), at, 1);
}

function addCalmEvents(data: MetricData, alarms: DeployedAlarms): void {
  const on = (dayOfMonth: number, hours: number) =>
    month.from + (dayOfMonth - 1) * day + hours * hour;
  const fail = (at: number, times: number) => data.add(alarms.metric('5xx'), at, 1, times);
  for (let each = 2; each <= 30; each += 2) fail(on(each, 11), 1);
  fail(on(17, 3), 2);
  data.add(alarms.metric('FailedAnswers'), on(6, 9), 1);
  data.add(alarms.metric('FailedBackgroundRuns'), on(9, 14), 1);
  data.add(alarms.metric('FailedBackgroundRuns'), on(21, 2), 1);
  data.add(alarms.metric('TableThrottles'), on(12, 16), 8);
  data.add(alarms.metric('TableThrottles'), on(25, 16), 3);
  // While a maintenance is announced, nothing is written about the system's jobs.
  const [waits] = alarms.metrics('OldestDueSeconds');
  if (waits) data.remove(waits, on(10, 7), on(10, 13));
  // Its jobs are due, and are handed over as soon as it is back.
  if (waits) data.add(waits, on(19, 2), 600);
  // Files come from the systems, and their requests are the slow ones that are left out.
  for (const patient of alarms.metrics('Duration')) {
    const { FunctionName } = patient.dimensions;
    const runs = alarms
      .metrics('Invocations')
      .find(({ dimensions }) => dimensions.FunctionName === FunctionName);
    for (const at of [on(4, 10), on(4, 10) + bucketMs, on(4, 10) + 2 * bucketMs]) {
      data.add(patient, at, 12_000, 20);
      if (runs) data.add(runs, at, 1, 20);
      data.add(alarms.metric('Count'), at, 1, 20);
      data.add(alarms.metric('Latency'), at, 12_000, 20);
    }
  }
  // A deployment: functions are loaded anew, and the stream waits a moment for its reader.
  const deployed = on(15, 10);
  data.add(alarms.metric('Latency'), deployed, 3_500, 4);
  data.add(alarms.metric('Count'), deployed, 1, 4);
  data.add(alarms.metric('IteratorAge', 'publish-events'), deployed, 90_000);
}
