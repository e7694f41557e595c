import { Duration } from 'aws-cdk-lib';
import type { IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { routes } from '#functions/routes.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { metricNames } from '#lib/telemetry/measurements.ts';
import { fillingGigabytes } from '#lib/telemetry/sample-sizes.ts';
import { iteratorAge, lostOnTheWay, waitingIn } from '../metrics/delivery-metrics.ts';
import type { FailedRuns } from '../metrics/failed-runs.ts';
import { percentOf5xx, percentOfSlow } from '../metrics/request-metrics.ts';
import { fiveMinutes, ownMetric } from '../metrics/service-metrics.ts';
import type {
  ListeningFunction,
  ReadingFunction,
  ScheduledFunction,
} from '../triggers/called-functions.ts';
import { groupAlarms, type Urgency } from './alarm-topics.ts';
import { RunbookAlarm, runbookHeadings, type Watch } from './runbook-alarm.ts';

/** The parts of a deployment that alarms and the dashboard watch. */
export interface Watched {
  readonly service: string;
  readonly stage: IHttpStage;
  /** All functions by name, including those that schedules, the stream and the bus call. */
  readonly functions: ReadonlyMap<string, { readonly lambda: IFunction }>;
  readonly scheduled: ReadonlyMap<string, ScheduledFunction>;
  readonly reading: ReadonlyMap<string, ReadingFunction>;
  readonly listening: ReadonlyMap<string, ListeningFunction>;
  readonly table: ITable;
  /** The names of the HPC systems in the catalog. */
  readonly systems: readonly string[];
}

type Watches = Readonly<Record<string, Watch>>;

const aDay = Duration.days(1);
const twoOfThree = { evaluationPeriods: 3, datapointsToAlarm: 2 };

/**
 * Makes the alarms. Each metric that an alarm reads costs, so there is none per function: logs count
 * failed runs of all of them, in metrics that cost nothing as long as nothing fails
 * (docs/decisions/0101).
 */
export function makeAlarms(
  scope: Construct,
  watched: Watched,
  failedRuns: FailedRuns,
  topics: Readonly<Record<Urgency, ITopic>>,
): RunbookAlarm[] {
  const scopes = { page: groupAlarms(scope, 'page'), ticket: groupAlarms(scope, 'ticket') };
  const watches = {
    ...watchRequests(watched),
    ...watchQueues(watched),
    ...watchSchedules(watched),
    ...watchRuns(failedRuns),
    ...watchDeliveries(watched),
    ...watchTable(watched),
    ...watchAccounts(watched),
  };
  return Object.entries(watches).map(([name, watch]) => {
    const urgency = runbookHeadings[watch.heading];
    if (urgency === undefined) throw new Error(`Nobody is told of "${watch.heading}".`);
    const alarm = new RunbookAlarm(scopes[urgency], name, watch).notify(topics[urgency]);
    // A schedule that was switched off has no figures at all.
    if (watch.treatMissingData === TreatMissingData.MISSING) {
      alarm.addInsufficientDataAction(new SnsAction(topics[urgency]));
    }
    return alarm;
  });
}

/** Errors and latency that callers notice. */
function watchRequests({ stage, functions }: Watched): Watches {
  const patient = [...functions].flatMap(([name, { lambda }]) =>
    waitsForSystem(name) ? [lambda] : [],
  );
  return {
    ServerErrors: {
      heading: 'Server errors',
      meaning: 'More than 1 % of requests were answered with 5xx, for ten minutes.',
      // Ignore fewer than three errors, so that one failed request at night is not 100 %.
      metric: percentOf5xx(stage, 3, fiveMinutes),
      threshold: 1,
      evaluationPeriods: 2,
    },
    SlowAnswers: {
      heading: 'Slow answers',
      meaning:
        'More than 1 % of requests took longer than 3 seconds, for 15 minutes, not counting those that wait for an HPC system.',
      metric: percentOfSlow({ stage, patient, slowMs: 3_000, atLeast: 5 }),
      threshold: 1,
      evaluationPeriods: 3,
    },
  };
}

function waitsForSystem(name: string): boolean {
  return new Map<string, Route>(Object.entries(routes)).get(name)?.secrets === true;
}

/** Due jobs that are not processed, one alarm per HPC system. */
function watchQueues({ service, systems }: Watched): Watches {
  const watches = systems.map((hpc): [string, Watch] => [
    `${hpc}-waits`,
    {
      heading: 'Jobs wait too long',
      meaning: `A job on ${hpc} has been due for more than 15 minutes.`,
      metric: ownMetric(metricNames.oldestDueSeconds, 'Maximum', { service, hpc }),
      threshold: 15 * 60,
      evaluationPeriods: 2,
    },
  ]);
  return Object.fromEntries(watches);
}

/** Wrong balances. Fires at the first one, because balances do not repair themselves. */
function watchAccounts({ service }: Watched): Watches {
  return {
    Drift: {
      heading: 'Accounts do not add up',
      meaning: 'An account does not agree with its jobs or its ledger.',
      metric: ownMetric(metricNames.accountDrift, 'Maximum', { service }, aDay),
    },
  };
}

/**
 * Fires when runs stop: a rule that was disabled, or lost the permission to call its function,
 * produces no errors. Stays silent before the first run, because a new stack may wait a day for it.
 */
function watchSchedules({ scheduled }: Watched): Watches {
  const watches = [...scheduled].map(([name, { schedule, target }]): [string, Watch] => {
    // Covers several runs if they are frequent, but only one if they are rare, so that it is
    // reported soon.
    const { everyMinutes } = schedule;
    const minutes = everyMinutes < 60 ? Math.max(5, 3 * everyMinutes) : everyMinutes;
    return [
      `${name}-runs`,
      {
        heading: 'Schedule does not run',
        meaning: `The schedule ${name} has had no run for ${2 * minutes} minutes.`,
        metric: target.lambda.metricInvocations({
          statistic: 'Sum',
          period: Duration.minutes(minutes),
        }),
        threshold: 1,
        comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
        evaluationPeriods: 2,
        treatMissingData: TreatMissingData.MISSING,
      },
    ];
  });
  return Object.fromEntries(watches);
}

/** Runs that failed, of functions that callers wait for and of those that nobody waits for. */
function watchRuns({ inBackground, answering }: FailedRuns): Watches {
  return {
    BackgroundErrors: {
      ...twoOfThree,
      heading: 'Background errors',
      meaning:
        'A function that works in the background crashed, or ran out of memory or time, in two of three periods of five minutes.',
      metric: inBackground,
    },
    FunctionErrors: {
      ...twoOfThree,
      heading: 'Function errors',
      meaning:
        'A function that answers requests crashed, or ran out of memory or time, in two of three periods of five minutes.',
      metric: answering,
    },
    FunctionThrottles: {
      ...twoOfThree,
      heading: 'Function throttles',
      meaning:
        'Lambda refused to run functions of this account and region, in two of three periods of five minutes.',
      // Without a name of a function it is the sum of all.
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'Throttles',
        statistic: 'Sum',
        period: fiveMinutes,
      }),
    },
  };
}

/**
 * Deliveries to functions that are late, in a dead-letter queue, or lost. All but the late ones
 * fire at the first one, because these failures do not resolve themselves.
 */
function watchDeliveries({ service, reading, listening }: Watched): Watches {
  const behind = [...reading].map(([name, { target }]): [string, Watch] => [
    `${name}-behind`,
    {
      heading: 'Stream falls behind',
      meaning: `The function ${name} was told about changes more than 15 minutes after they happened.`,
      metric: iteratorAge(target.lambda),
      threshold: 15 * 60 * 1000,
      evaluationPeriods: 2,
    },
  ]);
  const putAside = [...reading, ...listening].flatMap(
    ([name, { deadLetters }]): [string, Watch][] =>
      deadLetters
        ? [
            [
              `${name}-dead-letters`,
              {
                heading: 'Dead letters',
                meaning: `Something that the function ${name} should have handled has failed for good.`,
                metric: waitingIn(deadLetters),
              },
            ],
          ]
        : [],
  );
  const lost = [...listening].flatMap(([name, { rule, deadLetters }]): [string, Watch][] =>
    deadLetters
      ? [
          [
            `${name}-lost`,
            {
              heading: 'Bus cannot deliver',
              meaning: `The bus could not deliver an event to the function ${name}, and could not put it aside.`,
              metric: lostOnTheWay(rule),
            },
          ],
        ]
      : [],
  );
  return {
    ...Object.fromEntries([...behind, ...putAside, ...lost]),
    damaged: {
      heading: 'Damaged records',
      meaning: 'Nothing could be made of a change of the table, and it was left out.',
      metric: ownMetric(metricNames.damagedRecords, 'Sum', { service }),
    },
  };
}

function watchTable({ service }: Watched): Watches {
  return {
    TableThrottles: {
      ...twoOfThree,
      heading: 'Table throttles',
      meaning:
        'DynamoDB refused reads or writes because there were too many, in two of three periods of five minutes.',
      metric: ownMetric(metricNames.tableThrottles, 'Sum', { service }),
    },
    TableErrors: {
      ...twoOfThree,
      heading: 'Table errors',
      meaning: 'DynamoDB itself failed, in two of three periods of five minutes.',
      metric: ownMetric(metricNames.tableErrors, 'Sum', { service }),
    },
    TableSize: {
      heading: 'Partition fills up',
      meaning: `A partition of the table has ${fillingGigabytes} GB or more, of the 10 GB that it can hold.`,
      metric: ownMetric(metricNames.partitionGigabytes, 'Maximum', { service }, aDay),
      threshold: fillingGigabytes,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    },
  };
}
