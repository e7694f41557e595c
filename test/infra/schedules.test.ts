import { describe, expect, it } from 'vitest';
import { type Schedule, schedules } from '#functions/schedules.ts';
import { findAll, findByPath, synthesize } from './synthesize.ts';

const { service, triggers } = synthesize();

const rates: Readonly<Record<number, string>> = {
  1: 'rate(1 minute)',
  5: 'rate(5 minutes)',
  60: 'rate(1 hour)',
  [24 * 60]: 'rate(1 day)',
};

const systems = ['hpc_one', 'hpc_two'];

/** What each rule of a schedule is called, and what it tells the function. */
function rulesOf({ perSystem }: Schedule) {
  return perSystem
    ? systems.map((hpc) => ({ id: `${hpc}-0`, input: { hpc, run: { number: 0, of: 1 } } }))
    : [{ id: 'Rule', input: undefined }];
}

const calls = Object.entries<Schedule>(schedules).flatMap(([name, schedule]) =>
  rulesOf(schedule).map((rule) => ({ name, everyMinutes: schedule.everyMinutes, ...rule })),
);

it('makes one rule per schedule, or one for each system', () => {
  const rules = findAll(triggers, 'AWS::Events::Rule').filter(
    ([, { Properties }]) => 'ScheduleExpression' in Properties,
  );
  expect(rules).toHaveLength(calls.length);
  expect(calls.length).toBeGreaterThan(Object.keys(schedules).length);
});

describe.each(calls)('the schedule $name by its rule $id', ({ name, everyMinutes, id, input }) => {
  const [functionId] = findByPath(service, `${name}/Function/Resource`);
  const [ruleId, rule] = findByPath(triggers, `Triggers/${name}-clock/${id}/Resource`);

  it('calls its function by the clock', () => {
    expect(rule.Properties).toMatchObject({
      ScheduleExpression: rates[everyMinutes],
      State: 'ENABLED',
      Targets: [{ Arn: { 'Fn::GetAtt': [functionId, 'Arn'] } }],
    });
    const [target] = Object(rule.Properties.Targets);
    expect(target.Input).toBe(input && JSON.stringify(input));
  });

  it('may call it', () => {
    const permissions = findAll(triggers, 'AWS::Lambda::Permission').map(
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
