import { describe, expect, it } from 'vitest';
import { refusingHandler } from '#lib/http/chain/api-handler.ts';
import {
  countRefusal,
  countStageChange,
  countSubmission,
  reportAccountDrift,
  reportOldestDue,
  reportPartitionSize,
} from '#lib/telemetry/metrics.ts';
import { apiEvent, lambdaContext } from '#test/fixtures/api-event.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { systemName } from '#test/fixtures/names.ts';

/** The metrics that CloudWatch would read from the lines which this writes. */
function metricsOf(write: () => void) {
  const log = captureLog();
  write();
  return log.map((line) => {
    const { _aws, ...values } = JSON.parse(line);
    const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    return { Namespace, Dimensions, Metrics, values };
  });
}

const count = (Name: string) => [{ Name, Unit: 'Count' }];

describe('a metric', () => {
  it('counts a submission by its system, and its first stage', () => {
    expect(metricsOf(() => countSubmission(systemName('hpc_one'), 'QUEUED'))).toMatchObject([
      {
        Namespace: 'Slipway',
        Metrics: count('Submissions'),
        values: { hpc: 'hpc_one', Submissions: 1 },
      },
      {
        Namespace: 'Slipway',
        Metrics: count('StageChanges'),
        values: { hpc: 'hpc_one', stage: 'QUEUED', StageChanges: 1 },
      },
    ]);
  });

  it('counts stage changes and refusals', () => {
    const both = () => {
      countStageChange(systemName('hpc_two'), 'COMPLETED');
      countRefusal('quota-exceeded');
    };
    expect(metricsOf(both)).toMatchObject([
      { values: { hpc: 'hpc_two', stage: 'COMPLETED', StageChanges: 1 } },
      { Metrics: count('Refusals'), values: { reason: 'quota-exceeded', Refusals: 1 } },
    ]);
  });

  it('counts every refusal of a request by the name of its problem', async () => {
    const log = captureLog();
    const refuse = refusingHandler({});
    await refuse(apiEvent({ path: '/nothing/' }), { ...lambdaContext });
    expect(log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ reason: 'path-not-found', Refusals: 1 }),
    );
  });

  it('tells how old the oldest due job is', () => {
    expect(metricsOf(() => reportOldestDue(systemName('hpc_one'), 90))).toMatchObject([
      {
        Metrics: [{ Name: 'OldestDueSeconds', Unit: 'Seconds' }],
        values: { hpc: 'hpc_one', OldestDueSeconds: 90 },
      },
    ]);
  });

  it('says nothing of what is as it should be, which would cost in each hour', () => {
    const quiet = () => {
      reportOldestDue(systemName('hpc_one'), 0);
      reportAccountDrift(0);
    };
    expect(metricsOf(quiet)).toEqual([]);
  });

  it('tells how many accounts do not add up', () => {
    expect(metricsOf(() => reportAccountDrift(2))).toMatchObject([
      { Metrics: count('AccountDrift'), Dimensions: [['service']], values: { AccountDrift: 2 } },
    ]);
  });

  it('tells how large a partition is', () => {
    expect(metricsOf(() => reportPartitionSize(8))).toMatchObject([
      {
        Metrics: [{ Name: 'PartitionGigabytes', Unit: 'Gigabytes' }],
        Dimensions: [['service']],
        values: { PartitionGigabytes: 8 },
      },
    ]);
  });

  it('has its dimensions, and not those of the line before', () => {
    const both = () => {
      countStageChange(systemName('hpc_two'), 'COMPLETED');
      countRefusal('busy');
    };
    const [first, second] = metricsOf(both);
    expect(first?.Dimensions.flat().sort()).toEqual(expect.arrayContaining(['hpc', 'stage']));
    expect(second?.Dimensions.flat()).toContain('reason');
    expect(second?.Dimensions.flat()).not.toContain('hpc');
  });
});
