import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricNames } from '#lib/telemetry/measurements.ts';
import { metricEntries } from '#local/metrics/metrics.ts';
import { anchorsOf, readPages } from './documentation/pages.ts';

const page = readFileSync('docs/monitoring.md', 'utf8');
const folder = 'docs/examples/monitoring';
const examples = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
const rules = readFileSync(`${folder}/slipway.rules.yml`, 'utf8');

/** The first cells of the rows whose first cell begins like this. */
function rowsOf(beginning: string, cells: number): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith(`| \`${beginning}`))
    .map((line) =>
      line
        .split('|')
        .slice(1, cells + 1)
        .map((cell) => cell.trim()),
    );
}

const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name);

describe('docs/monitoring.md', () => {
  it('names every metric that is served, with its type, labels and meaning', () => {
    const served = metricEntries.map(([name, { type, labels, help }]) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    expect(rowsOf('slipway_', 4)).toEqual(served);
  });

  it('names the metric of CloudWatch that has the same measurements', () => {
    const onAws = new Map(rowsOf('slipway_', 5).map(([name, , , , aws]) => [name, aws]));
    const both = metricEntries.filter(([, { of }]) =>
      Object.values(metricNames).some((name) => name === of),
    );
    expect(both.length).toBeGreaterThan(3);
    for (const [name, { of }] of both) expect(onAws.get(`\`${name}\``)).toBe(`\`${of}\``);
  });

  it('has every alert that docs/alarms.md names', () => {
    const named = readFileSync('docs/alarms.md', 'utf8').match(/Slipway[A-Z]\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !alerts.includes(name))).toEqual([]);
  });

  it('names every alert', () => {
    expect(rowsOf('Slipway', 1)).toEqual(alerts.map((name) => [`\`${name}\``]));
  });
});

describe('docs/examples/monitoring', () => {
  it('uses only metrics and labels that are served', () => {
    const known = new Map(metricEntries);
    const suffix = /_(bucket|count|sum)$/;
    const used = examples.flatMap((text) => [...text.matchAll(/\b(slipway_\w+)(?:\{([^}]*)\})?/g)]);
    expect(used.length).toBeGreaterThan(50);
    for (const [, name = '', selectors = ''] of used) {
      const metric = known.get(name) ?? known.get(name.replace(suffix, ''));
      const labels = [...selectors.matchAll(/(\w+)=/g)].map(([, label]) => label);
      const unknown = labels.filter(
        (label) => ![...(metric?.labels ?? []), 'le'].includes(`${label}`),
      );
      expect([name, metric !== undefined, unknown]).toEqual([name, true, []]);
    }
  });

  it('sends the reader of an alert to a heading that exists', () => {
    const pages = new Map(readPages().map((each) => [each.path, each]));
    const places = [...rules.matchAll(/runbook: (\S+)#(\S+)/g)];
    expect(places).toHaveLength(alerts.length);
    for (const [, path = '', anchor = ''] of places) {
      const found = pages.get(path);
      expect([path, found && anchorsOf(found)]).toEqual([path, expect.arrayContaining([anchor])]);
    }
  });
});
