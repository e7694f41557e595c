import { describe, expect, it } from 'vitest';
import { type Schedule, schedules } from '#functions/schedules.ts';
import { findAll, findByPath, synthesize } from './synthesize.ts';

const { service } = synthesize();

const rates: Readonly<Record<number, string>> = {
  1: 'rate(1 minute)',
  60: 'rate(1 hour)',
  [24 * 60]: 'rate(1 day)',
};

it('makes one rule per schedule', () => {
  const rules = findAll(service, 'AWS::Events::Rule').filter(
    ([, { Properties }]) => 'ScheduleExpression' in Properties,
  );
  expect(rules).toHaveLength(Object.keys(schedules).length);
});

describe.each(Object.entries<Schedule>(schedules))('the schedule %s', (name, { everyMinutes }) => {
  const [functionId] = findByPath(service, `${name}/Function/Resource`);
  const [ruleId, rule] = findByPath(service, `${name}-clock/Rule/Resource`);

  it('calls its function by the clock', () => {
    expect(rule.Properties).toMatchObject({
      ScheduleExpression: rates[everyMinutes],
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [functionId, 'Arn'] } }],
    });
  });

  it('may call it', () => {
    const permissions = findAll(service, 'AWS::Lambda::Permission').map(
      ([, { Properties }]) => Properties,
    );
    expect(permissions).toContainEqual({
      Action: 'lambda:InvokeFunction',
      FunctionName: { 'Fn::GetAtt': [functionId, 'Arn'] },
      Principal: 'events.amazonaws.com',
      SourceArn: { 'Fn::GetAtt': [ruleId, 'Arn'] },
    });
  });

  it('is not repeated when it fails, because the next one comes', () => {
    const [, config] = findByPath(service, `${name}/Function/EventInvokeConfig/Resource`);
    expect(config.Properties).toMatchObject({ MaximumRetryAttempts: 0 });
    expect(rule.Properties.Targets).toMatchObject([{ RetryPolicy: { MaximumRetryAttempts: 0 } }]);
  });
});
