import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { routeNames } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { runbookHeadings } from '#infra/constructs/monitoring/runbook-alarm.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { allFunctions } from './functions-of.ts';
import { render, renderText } from './render.ts';
import {
  type Context,
  findAll,
  findByPath,
  joinServing,
  production,
  synthesize,
} from './synthesize.ts';

const templates = synthesize(production);
const { service, monitoring } = templates;
/** The filters that count failed runs, beside the alarms and beside the functions of the domains. */
const counting = [monitoring, joinServing(templates)].flatMap((stack) =>
  findAll(stack, 'AWS::Logs::MetricFilter'),
);
const alarms = findAll(monitoring, 'AWS::CloudWatch::Alarm').map(
  ([, { Properties }]) => Properties,
);
const [pagesId] = findByPath(monitoring, 'Monitoring/Pages/Topic/Resource');
const [ticketsId] = findByPath(monitoring, 'Monitoring/Tickets/Topic/Resource');

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
    const ofReleases = findAll(templates.releases!, 'AWS::CloudWatch::Alarm');
    const named = [...alarms, ...ofReleases.map(([, { Properties }]) => Properties)].map(
      ({ AlarmDescription }) => headingOf(AlarmDescription),
    );
    expect(headings.toSorted()).toEqual([...new Set(named)].toSorted());
    expect(headings).toEqual(Object.keys(runbookHeadings));
  });

  it('says of each alarm whether it is a page or a ticket', () => {
    const rows = Object.entries(runbookHeadings).map(([heading, urgency]) => {
      const row = written.split('\n').find((line) => line.startsWith(`| ${heading} |`));
      return [heading, row?.split('|')[2]?.trim(), urgency ?? 'the deployment'];
    });
    expect(rows.filter(([, said, urgency]) => said !== urgency)).toEqual([]);
  });

  it.each(headings)('says under "%s" what it means, where to look and what to do', (heading) => {
    const section = written.split(`## ${heading}\n`)[1]?.split('\n## ')[0];
    expect(section).toMatch(/\*\*Means:\*\*[\s\S]*\*\*Look:\*\*[\s\S]*\*\*Do:\*\*/);
  });
});

describe('docs/alarms.md', () => {
  it('names only alarms that there are, each with its urgency', () => {
    const page = readFileSync('docs/alarms.md', 'utf8');
    const named = [...page.matchAll(/([A-Z][a-z ]+) \((page|ticket)\)/g)];
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.filter(([, heading = '', urgency]) => Object(runbookHeadings)[heading] !== urgency),
    ).toEqual([]);
  });
});

describe('what an alarm needs to ring', () => {
  const table = readFileSync('docs/runbook.md', 'utf8').split('\n');
  const ofReleases = findAll(templates.releases!, 'AWS::CloudWatch::Alarm');
  const all = [...alarms, ...ofReleases.map(([, { Properties }]) => Properties)];

  it.each(Object.keys(runbookHeadings))('is in the table of the runbook: %s', (heading) => {
    const [, , , , rings, periods] =
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
  it('tell who must know when they begin, and leave it to a rule to tell when they are over', () => {
    for (const alarm of alarms) {
      const heading = headingOf(alarm.AlarmDescription) as keyof typeof runbookHeadings;
      const topic = runbookHeadings[heading] === 'page' ? pagesId : ticketsId;
      expect(alarm).toMatchObject({ AlarmActions: [{ Ref: topic }] });
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
    const patient = ['read-files', 'clear-folder'].map((name) => ({
      Namespace: 'AWS/Lambda',
      Dimensions: [
        {
          Name: 'FunctionName',
          Value: { Ref: findByPath(service, `${name}/Function/Resource`)[0] },
        },
      ],
    }));
    expect(alarm?.Metrics).toMatchObject([
      { Expression: 'IF(slow >= 5, 100 * slow / requests, 0)', ReturnData: true },
      { Id: 'slow', Expression: 'SUM([all, patient0, patient1])' },
      { Id: 'all', Expression: 'requests * (100 - quick) / 100' },
      { Id: 'requests', MetricStat: apiMetric('Count', 'SampleCount') },
      { Id: 'quick', MetricStat: apiMetric('Latency', 'PR(:3000)') },
      ...patient.flatMap((ofFunction, at) => [
        {
          Id: `patient${at}`,
          Expression: `0 - runs${at} * (100 - quickRuns${at}) / 100`,
        },
        {
          Id: `runs${at}`,
          MetricStat: { Stat: 'Sum', Metric: { ...ofFunction, MetricName: 'Invocations' } },
        },
        {
          Id: `quickRuns${at}`,
          MetricStat: { Stat: 'PR(:3000)', Metric: { ...ofFunction, MetricName: 'Duration' } },
        },
      ]),
    ]);
  });

  it.each([
    ['Function errors', 'FailedAnswers', routeNames.length + 1],
    ['Background errors', 'FailedBackgroundRuns', allFunctions.length - routeNames.length - 1],
  ])('%s: read what the logs of all functions count', (heading, metric, functions) => {
    const watched = { Namespace: 'Slipway/slipway-prod', MetricName: metric };
    expect(alarmsUnder(heading)).toMatchObject([
      { ...watched, Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' },
    ]);
    const filters = counting.filter(
      ([, { Properties }]) =>
        (Properties.MetricTransformations as { MetricName: string }[])[0]?.MetricName === metric,
    );
    expect(filters).toHaveLength(functions);
    expect(
      new Set(filters.map(([, { Properties }]) => renderText(Properties.LogGroupName, templates)))
        .size,
    ).toBe(functions);
    for (const [, { Properties }] of filters) {
      expect(Properties).toMatchObject({
        FilterPattern: '{ $.type = "platform.report" && $.record.status != "success" }',
        MetricTransformations: [{ MetricNamespace: watched.Namespace, MetricValue: '1' }],
      });
      // With a value for lines that do not match, it would be written, and paid, at all times.
      expect(JSON.stringify(Properties)).not.toContain('DefaultValue');
    }
  });

  it('watch the log of every function', () => {
    const logs = counting.map(([, { Properties }]) =>
      renderText(Properties.LogGroupName, templates),
    );
    const expected = allFunctions.map(
      ({ name }) => `<${findByPath(joinServing(templates), `${name}/Log/Resource`)[0]}>`,
    );
    expect(logs.toSorted()).toEqual(expected.toSorted());
  });

  it('watch the throttles of the whole account, which no log tells of', () => {
    const [alarm, ...others] = alarmsUnder('Function throttles');
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Throttles', Threshold: 0 });
    expect(alarm).not.toHaveProperty('Dimensions');
  });

  it.each([
    ['Table throttles', 'TableThrottles'],
    ['Table errors', 'TableErrors'],
  ])('%s: watch what the functions count', (heading, metric) => {
    expect(alarmsUnder(heading)).toMatchObject([
      {
        Namespace: 'Slipway',
        MetricName: metric,
        Statistic: 'Sum',
        Dimensions: [{ Name: 'service', Value: 'slipway-prod' }],
        DatapointsToAlarm: 2,
        EvaluationPeriods: 3,
        Threshold: 0,
      },
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
            { Name: 'service', Value: 'slipway-prod' },
          ],
        }),
      );
    }
  });

  it('ring when a schedule has no runs, and tell when its figures cease, but not before the first', () => {
    const found = alarmsUnder('Schedule does not run');
    expect(found).toHaveLength(Object.keys(schedules).length);
    for (const alarm of found) {
      expect(alarm).toMatchObject({
        Threshold: 1,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'missing',
        InsufficientDataActions: [{ Ref: pagesId }],
        Namespace: 'AWS/Lambda',
        MetricName: 'Invocations',
        Statistic: 'Sum',
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
        Dimensions: [{ Name: 'service', Value: 'slipway-prod' }],
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
    const names = allFunctions.filter((each) => each.hasDeadLetters).map(({ name }) => name);
    expect(names).toEqual(['publish-events', 'queue-deliveries', 'count-ends']);
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

  it('ring when the bus loses what no schedule takes up, by the rule and its own bus', () => {
    const [busId] = findByPath(templates.data, 'Events/Resource');
    const watched = alarmsUnder('Bus cannot deliver').map(({ Namespace, MetricName, Dimensions }) =>
      render({ Namespace, MetricName, Dimensions }, templates),
    );
    const expected = ['queue-deliveries', 'count-ends'].map((name) => {
      const [ruleId] = findByPath(templates.triggers, `Triggers/${name}-bus/Rule/Resource`);
      return {
        Namespace: 'AWS/Events',
        MetricName: 'InvocationsFailedToBeSentToDlq',
        Dimensions: [
          { Name: 'EventBusName', Value: `<${busId}>` },
          // A reference to a rule of an own bus is `bus|rule`, by which no metric is found.
          { Name: 'RuleName', Value: `part 2 of <${ruleId}.Arn> at /` },
        ],
      };
    });
    expect(watched).toEqual(expected);
  });

  function apiMetric(name: string, statistic: string) {
    return { Metric: { Namespace: 'AWS/ApiGateway', MetricName: name }, Stat: statistic };
  }
});

describe.each([
  ['Pages', 'Page', pagesId],
  ['Tickets', 'Ticket', ticketsId],
])('the topic of the %s', (name, prefix, topicId) => {
  it('takes alarms of this account and what the rule tells, and only over TLS', () => {
    const [, policy] = findByPath(monitoring, `Monitoring/${name}/Topic/Policy/Resource`);
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

  it('has no key that AWS keeps, with which CloudWatch cannot publish', () => {
    const topic = monitoring.Resources[topicId];
    expect(topic?.Properties ?? {}).not.toHaveProperty('KmsMasterKeyId');
  });

  it('is told when an alarm of its own is over that rang before, and of no other change', () => {
    const [, rule] = findByPath(monitoring, `Monitoring/${name}/AllClear/Rule/Resource`);
    expect(rule.Properties).toMatchObject({
      State: 'ENABLED',
      EventPattern: {
        source: ['aws.cloudwatch'],
        'detail-type': ['CloudWatch Alarm State Change'],
        detail: {
          alarmName: [{ prefix: { 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, `-${prefix}`]] } }],
          state: { value: ['OK'] },
          previousState: { value: ['ALARM'] },
        },
      },
      Targets: [{ Arn: { Ref: topicId } }],
    });
    const alarmIds = findAll(monitoring, 'AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => JSON.stringify(Properties.AlarmActions).includes(topicId))
      .map(([id]) => id);
    expect(alarmIds.length).toBeGreaterThan(3);
    expect(alarmIds.filter((id) => !id.startsWith(prefix))).toEqual([]);
  });
});

describe('who is told', () => {
  const emailsOf = (context: Context) =>
    findAll(synthesize(context).monitoring, 'AWS::SNS::Subscription').map(
      ([
        ,
        {
          Properties: { Endpoint, TopicArn },
        },
      ]) => [Endpoint, TopicArn],
    );

  it('is nobody by default', () => {
    expect(emailsOf(production)).toEqual([]);
  });

  it('is the address that the operator names, of both', () => {
    expect(emailsOf({ ...production, alarmEmail: 'ops@example.org' })).toEqual([
      ['ops@example.org', { Ref: pagesId }],
      ['ops@example.org', { Ref: ticketsId }],
    ]);
  });

  it('is another address of what can wait', () => {
    const both = { alarmEmail: 'ops@example.org', ticketEmail: 'desk@example.org' };
    expect(emailsOf({ ...production, ...both })).toEqual([
      ['ops@example.org', { Ref: pagesId }],
      ['desk@example.org', { Ref: ticketsId }],
    ]);
  });

  it.each([
    [{}, false],
    [{ alarmEmail: 'ops@example.org' }, true],
    [{ alarms: 'true' }, true],
    [{ ...production, alarms: 'false' }, false],
  ])('matters only where there are alarms: %o', (context, expected) => {
    const made = findAll(synthesize(context).monitoring, 'AWS::CloudWatch::Alarm');
    expect(made.length > 0).toBe(expected);
  });
});
