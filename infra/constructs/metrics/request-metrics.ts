import type { Duration } from 'aws-cdk-lib';
import type { HttpApi, IHttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { fiveMinutes } from './service-metrics.ts';

/** With fewer errors than `atLeast` in a period, the result is 0. */
export function percentOf5xx(
  measured: HttpApi | IHttpStage,
  atLeast: number,
  period: Duration,
): MathExpression {
  return new MathExpression({
    expression: `IF(errors >= ${atLeast}, 100 * errors / requests, 0)`,
    label: '5xx, per cent',
    usingMetrics: {
      errors: measured.metricServerError({ statistic: Stats.SUM, period }),
      requests: measured.metricCount({ statistic: Stats.SAMPLE_COUNT, period }),
    },
    period,
  });
}

interface PercentOfSlowProps {
  readonly stage: IHttpStage;
  /** Functions to exclude, because their requests may take long. */
  readonly patient: readonly IFunction[];
  readonly slowMs: number;
  /** With fewer slow requests the result is 0, so that one slow request at night is not 100 %. */
  readonly atLeast: number;
}

/**
 * Counts slow requests and subtracts those of excluded functions. A percentile could not exclude
 * any, and with few requests it is just the slowest one. `SUM` of a list skips functions without
 * data.
 */
export function percentOfSlow({ stage, patient, slowMs, atLeast }: PercentOfSlowProps) {
  const period = fiveMinutes;
  const quick = { statistic: `PR(:${slowMs})`, period };
  const requests = stage.metricCount({ statistic: Stats.SAMPLE_COUNT, period });
  const slowOf = Object.fromEntries(
    patient.map((lambda, index) => [
      `patient${index}`,
      new MathExpression({
        expression: `0 - runs${index} * (100 - quickRuns${index}) / 100`,
        usingMetrics: {
          [`runs${index}`]: lambda.metricInvocations({ statistic: Stats.SUM, period }),
          [`quickRuns${index}`]: lambda.metricDuration(quick),
        },
        period,
      }),
    ]),
  );
  const all = new MathExpression({
    expression: 'requests * (100 - quick) / 100',
    usingMetrics: { requests, quick: stage.metricLatency(quick) },
    period,
  });
  const slow = new MathExpression({
    expression: `SUM([all, ${Object.keys(slowOf).join(', ')}])`,
    usingMetrics: { all, ...slowOf },
    period,
  });
  return new MathExpression({
    expression: `IF(slow >= ${atLeast}, 100 * slow / requests, 0)`,
    label: 'slow requests, per cent',
    usingMetrics: { slow, requests },
    period,
  });
}
