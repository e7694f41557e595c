import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { streams } from '#functions/streams.ts';
import { systemName } from '#test/fixtures/names.ts';
import { renderText } from './render.ts';
import { findAll, joinServing, production, synthesize } from './synthesize.ts';

const templates = synthesize({ ...production, dashboard: 'true' });
const [, dashboard] = findAll(templates.monitoring, 'AWS::CloudWatch::Dashboard')[0]!;
const text = renderText(dashboard.Properties.DashboardBody, templates);

interface Widget {
  readonly type: string;
  readonly properties: { readonly title?: string; readonly metrics?: unknown[][] };
}

const { widgets } = JSON.parse(text) as { widgets: Widget[] };

interface MetricLine {
  readonly _aws: {
    readonly CloudWatchMetrics: {
      readonly Namespace: string;
      readonly Dimensions: string[][];
      readonly Metrics: { readonly Name: string }[];
    }[];
  };
}

/** What the functions really write, by metric: the dashboard must ask for the same. */
const written = new Map<string, { namespace: string; dimensions: string[] }>();

beforeAll(async () => {
  vi.stubEnv('SERVICE_NAME', 'slipway-prod');
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  const metrics = await import('#lib/telemetry/metrics.ts');
  metrics.countSubmission(systemName('hpc_one'), 'QUEUED');
  metrics.countRefusal('quota-exceeded');
  metrics.reportOldestDue(systemName('hpc_one'), 1);
  metrics.countSystemSilence(systemName('hpc_one'));
  metrics.reportAccountDrift(1);
  metrics.countTableFault('tableErrors');
  metrics.countTableFault('tableThrottles');
  metrics.countDamagedRecord();
  spy.mockRestore();
  for (const line of lines) {
    const [metric] = (JSON.parse(line) as MetricLine)._aws.CloudWatchMetrics;
    written.set(metric!.Metrics[0]!.Name, {
      namespace: metric!.Namespace,
      dimensions: metric!.Dimensions[0]!,
    });
  }
});

describe('the dashboard', () => {
  it('is made only for who asks for it', () => {
    expect(findAll(synthesize(production).monitoring, 'AWS::CloudWatch::Dashboard')).toEqual([]);
  });

  it('shows what an operator asks first', () => {
    expect(widgets.map(({ properties }) => properties.title)).toEqual([
      'Alarms',
      'Requests',
      'Latency, ms',
      'Errors answered',
      'Submissions by system',
      'Refusals by reason',
      'Stage changes',
      'Checks without an answer by system',
      'Oldest due job by system, seconds',
      'Function errors',
      'Function throttles',
      'Function duration p99, ms',
      'Table: consumed units',
      'Table: requests it refused or failed',
      'Stream: age of the oldest change, ms',
      'Bus: events not delivered',
      'Dead letters',
    ]);
  });

  it('shows the state of every alarm', () => {
    const status: { type: string; properties: { alarms: string[] } } = Object(widgets[0]);
    expect(status.type).toBe('alarm');
    expect(status.properties.alarms).toHaveLength(
      findAll(templates.monitoring, 'AWS::CloudWatch::Alarm').length,
    );
  });

  it.each([
    ['Submissions by system', 'Submissions', 'Sum'],
    ['Refusals by reason', 'Refusals', 'Sum'],
    ['Stage changes', 'StageChanges', 'Sum'],
    ['Oldest due job by system, seconds', 'OldestDueSeconds', 'Maximum'],
    ['Checks without an answer by system', 'SystemSilence', 'Sum'],
  ])('%s: searches for the metric %s as the functions write it', (title, metric, statistic) => {
    const { namespace, dimensions } = written.get(metric)!;
    expect(expressionsOf(title)).toEqual([
      `SEARCH('{${[namespace, ...dimensions].join(',')}} MetricName="${metric}" service="slipway-prod"', '${statistic}', 300)`,
    ]);
  });

  it('shows every function', () => {
    expect(linesOf('Function errors')).toHaveLength(
      findAll(joinServing(templates), 'AWS::Lambda::Function').length,
    );
  });

  it('shows every reader of the stream, and every queue of dead letters', () => {
    expect(linesOf('Stream: age of the oldest change, ms')).toHaveLength(
      Object.keys(streams).length,
    );
    expect(linesOf('Dead letters')).toHaveLength(
      findAll(templates.service, 'AWS::SQS::Queue').length,
    );
  });

  it('shows half and the slowest of the requests', () => {
    const latency = JSON.stringify(widgets.find((w) => w.properties.title === 'Latency, ms'));
    expect(latency).toContain('"p50"');
    expect(latency).toContain('"p99"');
  });
});

describe.each([
  'OldestDueSeconds',
  'AccountDrift',
  'DamagedRecords',
  'TableErrors',
  'TableThrottles',
])('an alarm of %s', (metric) => {
  it('has the dimensions that the functions write', () => {
    const alarms = findAll(templates.monitoring, 'AWS::CloudWatch::Alarm')
      .map(([, { Properties }]) => Properties)
      .filter(({ MetricName }) => MetricName === metric);
    expect(alarms.length).toBeGreaterThan(0);
    for (const { Namespace, Dimensions } of alarms) {
      const names = (Dimensions as { Name: string }[]).map(({ Name }) => Name);
      const { namespace, dimensions } = written.get(metric)!;
      expect(Namespace).toBe(namespace);
      expect(names.toSorted()).toEqual(dimensions.toSorted());
    }
  });
});

describe('the saved queries', () => {
  const queries = findAll(templates.monitoring, 'AWS::Logs::QueryDefinition').map(
    ([, { Properties }]) => Properties,
  );

  it.each([
    ['one request', 'filter requestId = '],
    ['failures', 'filter level = "ERROR"'],
  ])('leave the choice of logs to a prefix: %s', (name, text) => {
    const query = queries.find(({ Name }) => Name === `slipway-prod/${name}`);
    expect(query?.QueryString).toContain(text);
    // A query names 50 log groups at most, and each further function brings one.
    expect(query?.LogGroupNames).toEqual([]);
  });

  it('have log groups whose names all begin with that of their stack', () => {
    for (const [, { Properties }] of findAll(joinServing(templates), 'AWS::Logs::LogGroup')) {
      expect(Properties).not.toHaveProperty('LogGroupName');
    }
    const runbook = readFileSync('docs/runbook.md', 'utf8');
    const functions = readFileSync('docs/runbook.sh', 'utf8');
    expect(functions).toContain("SOURCE logGroups(namePrefix: ['slipway-$STAGE-'])");
    expect(runbook).toContain('`slipway-<stage>-`');
    expect(runbook + functions).not.toContain('--log-group-name');
  });

  it('are three', () => {
    expect(queries.map(({ Name }) => Name).toSorted()).toEqual([
      'slipway-prod/failures',
      'slipway-prod/one request',
      'slipway-prod/slowest requests',
    ]);
  });
});

function linesOf(title: string): unknown[][] {
  return widgets.find((widget) => widget.properties.title === title)?.properties.metrics ?? [];
}

function expressionsOf(title: string): string[] {
  return (linesOf(title) as { expression: string }[][]).flat().map((m) => m.expression);
}
