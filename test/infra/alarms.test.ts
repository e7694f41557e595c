import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { runbookHeadings } from '#infra/constructs/monitoring/runbook-alarm.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { allFunctions } from './functions-of.ts';
import { render } from './render.ts';
import { findAll, findByPath, production, synthesize } from './synthesize.ts';

const templates = synthesize();
const { service, monitoring } = templates;
const alarms = findAll(monitoring, 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => Properties,
);
const [topicId, topic] = findByPath(monitoring, 'Monitoring/Alarms/Topic/Resource');

function alarmsUnder(heading: string) {
  return alarms.filter(({ AlarmDescription }) => headingOf(AlarmDescription) === heading);
}

function headingOf(description: unknown): string | undefined {
  return /See docs\/runbook\.md, "([^"]+)"\.$/.exec(String(description))?.[1];
}

describe('the runbook', () => {
  const written = readFileSync('docs/runbook.md', 'utf8');
  const headings = [...written.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading);

  it('has a heading for every alarm, and none without an alarm', () => {
    const ofReleases = findAll(synthesize(production).releases!, 'AWS::CloudWatch::Alarm');
    const named = [...alarms, ...ofReleases.map(([, { Properties }]) => Properties)].map(
      ({ AlarmDescription }) => headingOf(AlarmDescription),
    );
    expect(headings.toSorted()).toEqual([...new Set(named)].toSorted());
    expect(headings.toSorted()).toEqual(runbookHeadings.toSorted());
  });

  it.each(headings)('says under "%s" what it means, where to look and what to do', (heading) => {
    const section = written.split(`## ${heading}\n`)[1]?.split('\n## ')[0];
    expect(section).toMatch(/\*\*Means:\*\*[\s\S]*\*\*Look:\*\*[\s\S]*\*\*Do:\*\*/);
  });
});

describe('what an alarm needs to ring', () => {
  const table = readFileSync('docs/runbook.md', 'utf8').split('\n');
  const ofReleases = findAll(synthesize(production).releases!, 'AWS::CloudWatch::Alarm');
  const all = [...alarms, ...ofReleases.map(([, { Properties }]) => Properties)];

  it.each(runbookHeadings)('is in the table of the runbook: %s', (heading) => {
    const [, , , rings, periods] =
      table.find((line) => line.startsWith(`| ${heading} |`))?.split('|') ?? [];
    const found = all.filter(({ AlarmDescription }) => headingOf(AlarmDescription) === heading);
    const conditions = found.map(
      ({ ComparisonOperator, Threshold }) =>
        `${operators[String(ComparisonOperator)]} ${Threshold}`,
    );
    expect([...new Set(conditions)]).toEqual([rings?.trim()]);
    const spans = found.map(writeSpan);
    expect(new Set(periods?.match(/\d of \d × \d+ \w+/g))).toEqual(new Set(spans));
  });

  const operators: Readonly<Record<string, string>> = {
    GreaterThanThreshold: 'above',
    GreaterThanOrEqualToThreshold: 'at least',
    LessThanThreshold: 'below',
  };

  function writeSpan(alarm: Readonly<Record<string, unknown>>): string {
    const { EvaluationPeriods: all, DatapointsToAlarm: some = all, Period, Metrics } = alarm;
    const metrics = Metrics as { MetricStat?: { Period: number } }[] | undefined;
    const inMetrics = metrics?.flatMap(({ MetricStat }) => MetricStat?.Period ?? []) ?? [];
    const minutes = (Number(Period ?? 0) || Math.max(...inMetrics)) / 60;
    return `${some} of ${all} × ${minutes === 24 * 60 ? '1 day' : `${minutes} min`}`;
  }
});

describe('alarms', () => {
  it('tell when they begin, and leave it to one rule to tell when they are over', () => {
    for (const alarm of alarms) {
      expect(alarm).toMatchObject({ AlarmActions: [{ Ref: topicId }] });
      // An alarm would do so as soon as it begins to watch: a mail each on the first deployment.
      expect(alarm).not.toHaveProperty('OKActions');
    }
  });

  it('do not ring for what has never been measured, as nothing has in a new stack', () => {
    for (const { TreatMissingData } of alarms) {
      expect(['notBreaching', 'missing']).toContain(TreatMissingData);
    }
  });

  it('ring when more than 1 % of requests fail, but not for one or two', () => {
    const [alarm] = alarmsUnder('Server errors');
    expect(alarm).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 2,
      TreatMissingData: 'notBreaching',
      Metrics: [
        { Expression: 'IF(errors >= 3, 100 * errors / requests, 0)' },
        { Id: 'errors', MetricStat: apiMetric('5xx', 'Sum') },
        { Id: 'requests', MetricStat: apiMetric('Count', 'SampleCount') },
      ],
    });
  });

  it('ring when one request in a hundred takes more than three seconds, but not for slow files', () => {
    const [alarm, ...others] = alarmsUnder('Slow answers');
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    });
    const [filesId] = findByPath(service, 'read-files/Function/Resource');
    const ofFiles = {
      Namespace: 'AWS/Lambda',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: filesId } }],
    };
    expect(alarm?.Metrics).toMatchObject([
      { Expression: 'IF(slow >= 5, 100 * slow / requests, 0)', ReturnData: true },
      { Id: 'slow', Expression: 'SUM([all, patient0])' },
      { Id: 'all', Expression: 'requests * (100 - quick) / 100' },
      { Id: 'requests', MetricStat: apiMetric('Count', 'SampleCount') },
      { Id: 'quick', MetricStat: apiMetric('Latency', 'PR(:3000)') },
      { Id: 'patient0', Expression: '0 - runs0 * (100 - quickRuns0) / 100' },
      {
        Id: 'runs0',
        MetricStat: { Stat: 'Sum', Metric: { ...ofFiles, MetricName: 'Invocations' } },
      },
      {
        Id: 'quickRuns0',
        MetricStat: { Stat: 'PR(:3000)', Metric: { ...ofFiles, MetricName: 'Duration' } },
      },
    ]);
  });

  it.each([
    ['Function errors', 'Errors'],
    ['Function throttles', 'Throttles'],
  ])('%s: watch every function by itself', (heading, metric) => {
    const found = alarmsUnder(heading);
    expect(found).toHaveLength(allFunctions.length);
    for (const { name } of allFunctions) {
      const [functionId] = findByPath(service, `${name}/Function/Resource`);
      expect(found).toContainEqual(
        expect.objectContaining({
          AlarmDescription: expect.stringMatching(`function ${name}[ ,]`),
          Namespace: 'AWS/Lambda',
          MetricName: metric,
          Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionId } }],
          Threshold: 0,
          ComparisonOperator: 'GreaterThanThreshold',
        }),
      );
    }
  });

  it('watch the table and its global indexes for throttles', () => {
    const [alarm] = alarmsUnder('Table throttles');
    expect(expressionOf(alarm)).toMatch(sumOfWhatIsThere);
    const watched = metricsOf(alarm).map(({ MetricName, Dimensions }) =>
      [MetricName, ...Dimensions.map(({ Name, Value }) => (Name === 'TableName' ? 'table' : Value))]
        .toSorted()
        .join(' '),
    );
    expect(watched.toSorted()).toEqual([
      'ReadThrottleEvents due table',
      'ReadThrottleEvents project_jobs table',
      'ReadThrottleEvents registry table',
      'ReadThrottleEvents table',
      'WriteThrottleEvents due table',
      'WriteThrottleEvents project_jobs table',
      'WriteThrottleEvents registry table',
      'WriteThrottleEvents table',
    ]);
  });

  it('watch what the functions ask of the table for failures of DynamoDB', () => {
    const [alarm] = alarmsUnder('Table errors');
    expect(expressionOf(alarm)).toMatch(sumOfWhatIsThere);
    const operations = metricsOf(alarm).map(({ MetricName, Dimensions }) => {
      expect(MetricName).toBe('SystemErrors');
      return Dimensions.find(({ Name }) => Name === 'Operation')?.Value;
    });
    expect(operations.toSorted()).toEqual([
      'BatchGetItem',
      'DeleteItem',
      'GetItem',
      'PutItem',
      'Query',
      'TransactWriteItems',
      'UpdateItem',
    ]);
  });

  it('watch the oldest due job of every HPC system, and give it a quarter of an hour', () => {
    const found = alarmsUnder('Jobs wait too long');
    expect(found).toHaveLength(catalog.systems.length);
    for (const { name } of catalog.systems) {
      expect(found).toContainEqual(
        expect.objectContaining({
          MetricName: 'OldestDueSeconds',
          Statistic: 'Maximum',
          Threshold: 900,
          Dimensions: [
            { Name: 'hpc', Value: name },
            { Name: 'service', Value: 'slipway-dev' },
          ],
        }),
      );
    }
  });

  it('ring when the runs of a schedule fail, and tell when they cease, but not before the first', () => {
    const found = alarmsUnder('Schedule does not run');
    expect(found).toHaveLength(Object.keys(schedules).length);
    for (const alarm of found) {
      expect(alarm).toMatchObject({
        Threshold: 1,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'missing',
        InsufficientDataActions: [{ Ref: topicId }],
        Metrics: [{ Expression: 'runs - errors' }, { Id: 'runs' }, { Id: 'errors' }],
      });
    }
  });

  it('look at a schedule after its next two runs, however rare they are', () => {
    const periods = alarmsUnder('Schedule does not run').map(
      ({ AlarmDescription }) =>
        /schedule (\S+) .* for (\d+) minutes/.exec(String(AlarmDescription)) ?? [],
    );
    const minutes = Object.fromEntries(periods.map(([, name, count]) => [name, Number(count)]));
    expect(minutes).toMatchObject({
      'track-jobs': 10,
      'attend-quotas': 30,
      'remove-uploads': 120,
      'reconcile-accounts': 2 * 24 * 60,
    });
  });

  it('ring when one account does not add up', () => {
    expect(alarmsUnder('Accounts do not add up')).toMatchObject([
      {
        Namespace: 'Slipway',
        MetricName: 'AccountDrift',
        Statistic: 'Maximum',
        Period: 86_400,
        EvaluationPeriods: 1,
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        TreatMissingData: 'notBreaching',
      },
    ]);
  });

  it('ring when a change of the table was left out', () => {
    expect(alarmsUnder('Damaged records')).toMatchObject([
      {
        Namespace: 'Slipway',
        MetricName: 'DamagedRecords',
        Statistic: 'Sum',
        Period: 300,
        EvaluationPeriods: 1,
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        TreatMissingData: 'notBreaching',
      },
    ]);
  });

  it('ring when a partition has eight of its ten gigabytes', () => {
    expect(alarmsUnder('Partition fills up')).toMatchObject([
      {
        Namespace: 'Slipway',
        MetricName: 'PartitionGigabytes',
        Dimensions: [{ Name: 'service', Value: 'slipway-dev' }],
        Statistic: 'Maximum',
        Period: 86_400,
        EvaluationPeriods: 1,
        Threshold: 8,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'notBreaching',
      },
    ]);
  });

  it('ring when a reader of the stream is a quarter of an hour behind', () => {
    const found = alarmsUnder('Stream falls behind');
    expect(found).toHaveLength(Object.keys(streams).length);
    for (const name of Object.keys(streams)) {
      const [functionId] = findByPath(service, `${name}/Function/Resource`);
      expect(found).toContainEqual(
        expect.objectContaining({
          AlarmDescription: expect.stringContaining(`function ${name} `),
          Namespace: 'AWS/Lambda',
          MetricName: 'IteratorAge',
          Statistic: 'Maximum',
          Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionId } }],
          Threshold: 900_000,
          ComparisonOperator: 'GreaterThanThreshold',
        }),
      );
    }
  });

  it('ring at the first dead letter of a function', () => {
    const found = alarmsUnder('Dead letters');
    const names = [...Object.keys(streams), ...Object.keys(listeners)];
    expect(found).toHaveLength(names.length);
    for (const name of names) {
      const [queueId] = findByPath(service, `${name}-dead-letters/Resource`);
      expect(found).toContainEqual(
        expect.objectContaining({
          AlarmDescription: expect.stringContaining(`function ${name} `),
          Namespace: 'AWS/SQS',
          MetricName: 'ApproximateNumberOfMessagesVisible',
          Statistic: 'Maximum',
          Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queueId, 'QueueName'] } }],
          Threshold: 0,
          ComparisonOperator: 'GreaterThanThreshold',
          EvaluationPeriods: 1,
        }),
      );
    }
  });

  it('ring when the bus cannot deliver, by the rule and its own bus', () => {
    const found = alarmsUnder('Bus cannot deliver');
    const [busId] = findByPath(templates.data, 'Events/Resource');
    expect(found).toHaveLength(Object.keys(listeners).length);
    for (const [index, name] of Object.keys(listeners).entries()) {
      const [ruleId] = findByPath(templates.triggers, `Triggers/${name}-bus/Rule/Resource`);
      const dimensions = [
        { Name: 'EventBusName', Value: `<${busId}>` },
        // A reference to a rule of an own bus is `bus|rule`, by which no metric is found.
        { Name: 'RuleName', Value: `part 2 of <${ruleId}.Arn> at /` },
      ];
      expect(expressionOf(found[index])).toMatch(sumOfWhatIsThere);
      expect(render(metricsOf(found[index]), templates)).toEqual(
        ['FailedInvocations', 'InvocationsFailedToBeSentToDlq'].map((metric) => ({
          Namespace: 'AWS/Events',
          MetricName: metric,
          Dimensions: dimensions,
        })),
      );
    }
  });

  function apiMetric(name: string, statistic: string) {
    return { Metric: { Namespace: 'AWS/ApiGateway', MetricName: name }, Stat: statistic };
  }

  /** `a + b` has no value where one of the two has none, and DynamoDB writes no zeros. */
  const sumOfWhatIsThere = /^SUM\(\[FILL\(m0, 0\)(, FILL\(m\d, 0\))+\]\)$/;

  function expressionOf(alarm: Readonly<Record<string, unknown>> = {}): unknown {
    const [sum] = alarm.Metrics as [{ Expression?: string }];
    return sum.Expression;
  }

  interface AlarmMetric {
    readonly MetricName: string;
    readonly Dimensions: { readonly Name: string; readonly Value: unknown }[];
  }

  function metricsOf(alarm: Readonly<Record<string, unknown>> = {}): AlarmMetric[] {
    const metrics = alarm.Metrics as { MetricStat?: { Metric: AlarmMetric } }[];
    return metrics.flatMap(({ MetricStat }) => (MetricStat ? [MetricStat.Metric] : []));
  }
});

describe('the topic of the alarms', () => {
  const [keyId, key] = findByPath(monitoring, 'Monitoring/Alarms/Key/Resource');
  const [, policy] = findByPath(monitoring, 'Monitoring/Alarms/Topic/Policy/Resource');

  it('is encrypted with a key that CloudWatch may use, or no alarm would arrive', () => {
    expect(topic.Properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [keyId, 'Arn'] });
    expect(key.Properties).toMatchObject({
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: expect.arrayContaining([
          expect.objectContaining({
            Effect: 'Allow',
            Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
            Principal: { Service: 'cloudwatch.amazonaws.com' },
          }),
        ]),
      },
    });
  });

  it('takes alarms of this account and what the rule tells, and only over TLS', () => {
    expect(render(policy.Properties.PolicyDocument, templates)).toMatchObject({
      Statement: [
        {
          Effect: 'Deny',
          Action: 'sns:Publish',
          Principal: '*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
        {
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
        },
        {
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'events.amazonaws.com' },
        },
      ],
    });
  });

  it('is told when an alarm of this stack is over that rang before, and of no other change', () => {
    const [, rule] = findByPath(monitoring, 'Monitoring/Alarms/AllClear/Rule/Resource');
    expect(rule.Properties).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['aws.cloudwatch'],
        'detail-type': ['CloudWatch Alarm State Change'],
        detail: {
          alarmName: [{ prefix: { Ref: 'AWS::StackName' } }],
          state: { value: ['OK'] },
          previousState: { value: ['ALARM'] },
        },
      },
      Targets: [{ Arn: { Ref: topicId } }],
    });
    expect(key.Properties).toMatchObject({
      KeyPolicy: {
        Statement: expect.arrayContaining([
          expect.objectContaining({ Principal: { Service: 'events.amazonaws.com' } }),
        ]),
      },
    });
  });

  it('writes to nobody by default', () => {
    expect(findAll(monitoring, 'AWS::SNS::Subscription')).toEqual([]);
  });

  it('writes to the address that the operator names', () => {
    const mailed = synthesize({ alarmEmail: 'ops@example.org' }).monitoring;
    expect(
      findAll(mailed, 'AWS::SNS::Subscription').map(([, { Properties }]) => Properties),
    ).toEqual([{ Protocol: 'email', Endpoint: 'ops@example.org', TopicArn: { Ref: topicId } }]);
  });
});
