import { describe, expect, it } from 'vitest';
import { runbookHeadings } from '#infra/constructs/monitoring/runbook-alarm.ts';
import { type DeployedAlarms, readDeployedAlarms } from '../fixtures/alarms/deployed-alarms.ts';
import { readSource } from '../fixtures/alarms/find-rings.ts';
import { bucketMs, type MetricData } from '../fixtures/alarms/metric-data.ts';
import { calmEvents, day, makeHealthyMonth, month } from './healthy-month.ts';

const alarms = readDeployedAlarms();

describe('a healthy month with 100,000 jobs', () => {
  it(`rings no page and no ticket, in spite of ${calmEvents.length} things that happen`, () => {
    expect(alarms.ring(makeHealthyMonth(alarms), month)).toEqual([]);
  });

  it('is watched by every alarm that has figures in a healthy month', () => {
    const data = makeHealthyMonth(alarms);
    const silent = alarms.alarms.filter(({ properties }) =>
      readSource(properties).metrics.every(
        (metric) => data.read(metric, 'SampleCount', month.from, month.to) === undefined,
      ),
    );
    // Nothing is written about these unless something is wrong.
    expect(new Set(silent.map(({ heading }) => heading))).toEqual(
      new Set(['Bus cannot deliver', 'Damaged records', 'Table errors', 'Accounts do not add up']),
    );
  });
});

/** A day in the middle of the month, at its busiest hour. */
const then = month.from + 17 * day + 16 * 12 * bucketMs;

const periods = (count: number) =>
  Array.from({ length: count }, (_, place) => then + place * bucketMs);

interface Trouble {
  readonly what: string;
  readonly rings: readonly string[];
  make(data: MetricData, from: DeployedAlarms): void;
}

/** One trouble for each heading of the runbook, just large enough to ring. */
const troubles: Readonly<Record<string, Trouble>> = {
  'Server errors': {
    what: 'two in a hundred requests fail for ten minutes',
    rings: ['ServerErrors'],
    make: (data, { metric }) => {
      for (const at of periods(2)) data.add(metric('5xx'), at, 1, 20);
    },
  },
  'Jobs wait too long': {
    what: 'an unannounced maintenance of half an hour',
    rings: ['hpconewaits'],
    make: (data, { metrics }) => {
      const [first] = metrics('OldestDueSeconds');
      for (const [place, at] of periods(6).entries()) {
        if (first) data.add(first, at, 300 * (place + 1));
      }
    },
  },
  'Schedule does not run': {
    what: 'a rule that somebody switched off',
    rings: ['delivereventsruns'],
    make: (data, { metric }) => {
      data.remove(metric('Invocations', 'deliver-events'), then, month.to);
    },
  },
  'Background errors': {
    what: 'a function in the background crashes for ten minutes',
    rings: ['BackgroundErrors'],
    make: (data, { metric }) => {
      for (const at of periods(2)) data.add(metric('FailedBackgroundRuns'), at, 1);
    },
  },
  'Stream falls behind': {
    what: 'changes are a quarter of an hour old',
    rings: ['publisheventsbehind'],
    make: (data, { metric }) => {
      for (const at of periods(2)) data.add(metric('IteratorAge', 'publish-events'), at, 900_001);
    },
  },
  'Dead letters': {
    what: 'one message is put aside',
    rings: ['countendsdeadletters'],
    make: (data, { queues }) => {
      const queue = queues.get('count-ends');
      if (queue) data.add(queue, then, 1);
    },
  },
  'Bus cannot deliver': {
    what: 'one event is lost',
    rings: ['queuedeliverieslost'],
    make: (data, { metric }) => data.add(metric('InvocationsFailedToBeSentToDlq'), then, 1),
  },
  'Damaged records': {
    what: 'one change cannot be read',
    rings: ['damaged'],
    make: (data, { metric }) => data.add(metric('DamagedRecords'), then, 1),
  },
  'Slow answers': {
    what: 'two in a hundred requests are slow for a quarter of an hour',
    rings: ['SlowAnswers'],
    make: (data, { metric }) => {
      for (const at of periods(3)) data.add(metric('Latency'), at, 5_000, 30);
    },
  },
  'Function errors': {
    what: 'a function that answers crashes in two of three periods',
    rings: ['FunctionErrors'],
    make: (data, { metric }) => {
      for (const at of [periods(3)[0], periods(3)[2]])
        data.add(metric('FailedAnswers'), at ?? 0, 1);
    },
  },
  'Function throttles': {
    what: 'Lambda refuses runs for ten minutes',
    rings: ['FunctionThrottles'],
    make: (data, { metric }) => {
      for (const at of periods(2)) data.add(metric('Throttles'), at, 1, 5);
    },
  },
  'Table throttles': {
    what: 'the table is busy for ten minutes',
    rings: ['TableThrottles'],
    make: (data, { metric }) => {
      for (const at of periods(2)) data.add(metric('TableThrottles'), at, 1);
    },
  },
  'Table errors': {
    what: 'the table fails for ten minutes',
    rings: ['TableErrors'],
    make: (data, { metric }) => {
      for (const at of periods(2)) data.add(metric('TableErrors'), at, 1);
    },
  },
  'Partition fills up': {
    what: 'a partition has eight gigabytes',
    rings: ['TableSize'],
    make: (data, { metric }) => data.add(metric('PartitionGigabytes'), then, 8),
  },
  'Accounts do not add up': {
    what: 'the daily check finds one account',
    rings: ['Drift'],
    make: (data, { metric }) => data.add(metric('AccountDrift'), then, 1),
  },
};

describe('the same month with one trouble', () => {
  const headings = Object.entries(runbookHeadings).filter(([, urgency]) => urgency !== undefined);

  it.each(headings)('rings under "%s", as a %s, and nothing else', (heading, urgency) => {
    const trouble = troubles[heading];
    const data = makeHealthyMonth(alarms);
    trouble?.make(data, alarms);
    const rings = alarms.ring(data, month);
    expect(rings.map(({ id }) => id)).toEqual(trouble?.rings);
    expect(new Set(rings.map((ring) => `${ring.heading}, ${ring.urgency}`))).toEqual(
      new Set([`${heading}, ${urgency}`]),
    );
    for (const { at } of rings) expect(at).toBeGreaterThan(then);
  });
});
