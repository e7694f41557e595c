import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalog } from '#test/fixtures/catalog.ts';
import { countParts } from '#tools/costs/count-parts.ts';
import { writeScale } from '#tools/costs/scale.ts';
import { writeCosts, writeParts } from '#tools/costs/write-costs.ts';
import { readBetween } from '#tools/put-between.ts';
import { findAll, production, synthesize } from './synthesize.ts';

const templates = synthesize(production);
const parts = countParts(templates, catalog);
const page = readBetween(readFileSync('docs/costs.md', 'utf8'), 'npm run costs');

describe('docs/costs.md', () => {
  it('shows what the templates cost (npm run -s costs -- --write)', () => {
    expect(page).toBe(`${writeCosts(parts)}\n\n${writeParts(parts)}`);
  });
});

describe('docs/scale.md', () => {
  it('shows what is worked out from the same (npm run -s scale)', () => {
    const text = readFileSync('docs/scale.md', 'utf8');
    const table = /<!-- npm run -s scale -->\n(.*?)<!-- end -->/s.exec(text)?.[1];
    expect(table).toBe(writeScale(parts));
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
  });

  it('is a log group for each function and one for the gateway', () => {
    const functions = findAll(templates.service, 'AWS::Lambda::Function');
    expect(parts.logGroups).toBe(functions.length + 1);
  });

  it('is every run by the clock: what is called each minute, for each system where it is so', () => {
    const everyMinute = 2 + 1 + 1;
    const month = 30 * 24;
    expect(parts.scheduledRuns).toBe(everyMinute * month * 60 + month * 12 + month + 30);
  });

  it('are the secrets and keys of both stacks', () => {
    expect(parts).toMatchObject({ secrets: catalog.systems.length + 2, keys: 2, dashboards: 1 });
  });
});
