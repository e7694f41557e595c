import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from '#test/fixtures/catalog.ts';
import { computeCosts, countJobRuns, usualUsage } from '#tools/costs/compute-costs.ts';
import { countParts } from '#tools/costs/count-parts.ts';
import { writeScale } from '#tools/costs/scale.ts';
import { idleDollars, writeCosts, writeIdle, writeParts } from '#tools/costs/write-costs.ts';
import { readBetween } from '#tools/put-between.ts';
import { findAll, joinServing, production, synthesize } from './synthesize.ts';

const templates = synthesize(production);
const parts = countParts(templates, catalog);
const development = countParts(synthesize(), catalog);
const page = readBetween(readFileSync('docs/costs.md', 'utf8'), 'npm run costs');

describe('docs/costs.md', () => {
  it('shows what the templates cost (npm run -s costs -- --write)', () => {
    expect(page).toBe(`${writeCosts(parts)}\n\n${writeParts(parts)} ${writeIdle(development)}`);
  });

  it('asks less than a dollar for an idle month of a stage for development', () => {
    expect(development).toMatchObject({ secrets: 1, keys: 0, alarms: 0 });
    expect(idleDollars(development)).toBeLessThan(1);
  });
});

describe('docs/scale.md', () => {
  it('shows what is worked out from the same (npm run -s scale)', () => {
    const text = readFileSync('docs/scale.md', 'utf8');
    const table = /<!-- npm run -s scale -->\n(.*?)<!-- end -->/s.exec(text)?.[1];
    expect(table).toBe(writeScale(parts));
  });
});

describe('docs/restore.md', () => {
  it('says what the writes and the storage of the table cost once more', () => {
    const costs = computeCosts({ ...usualUsage, jobs: 100_000 }, parts);
    const sum = costs
      .filter(({ what, unit }) => what === 'DynamoDB' && unit !== 'read units')
      .reduce((total, { dollars }) => total + dollars, 0);
    const text = readFileSync('docs/restore.md', 'utf8');
    expect(/^\| a replica of the table .* ([\d.]+) \|$/m.exec(text)?.[1]).toBe(sum.toFixed(2));
  });
});

describe('what is counted', () => {
  it('are all alarms, each with the metrics that it looks at', () => {
    const { monitoring, releases } = templates;
    const alarms = [monitoring, releases!].flatMap((each) =>
      findAll(each, 'AWS::CloudWatch::Alarm'),
    );
    expect(parts.alarms).toBe(alarms.length);
    const metrics = JSON.stringify(alarms).match(/"MetricName":/g);
    expect(parts.alarmMetrics).toBe(metrics?.length);
    expect(parts.alarmMetrics).toBeGreaterThan(parts.alarms);
    expect(parts.alarmMetrics).toBeLessThan(40);
  });

  it('is a log group for each function and one for the gateway', () => {
    const functions = findAll(joinServing(templates), 'AWS::Lambda::Function');
    expect(parts.logGroups).toBe(functions.length + 1);
  });

  it('is every run by the clock: what is called each minute, for each system where it is so', () => {
    const everyMinute = 2 + 1 + 1 + 1 + 1;
    const month = 30 * 24;
    expect(parts.scheduledRuns).toBe(everyMinute * month * 60 + month * 12 + month + 30);
  });

  it('are the runs and events by which the stream and the bus follow a job', () => {
    const jobs = 1_000;
    const amountOf = (count: number, name: string) =>
      computeCosts({ ...usualUsage, jobs: count }, parts).find(
        ({ what, unit }) => `${what}, ${unit}` === name,
      )?.amount;
    const requests = jobs * (1 + 20 + 1 + 1);
    expect(amountOf(0, 'Lambda, requests')).toBe(parts.scheduledRuns);
    expect(amountOf(jobs, 'Lambda, requests')).toBe(parts.scheduledRuns + requests + 15 * jobs);
    expect(amountOf(jobs, 'EventBridge, events')).toBe(8 * jobs);
    expect(countJobRuns(jobs)).toBe(15 * jobs);
  });

  it('are the secrets and keys of both stacks', () => {
    expect(parts).toMatchObject({
      secrets: 2,
      keys: 1,
      dashboards: 0,
      traced: false,
      logsSchedules: false,
    });
  });
});
