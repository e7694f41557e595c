import { describe, expect, it } from 'vitest';
import { type Listener, listeners } from '#functions/listeners.ts';
import { render, renderText } from './render.ts';
import { findAll, findByPath, synthesize } from './synthesize.ts';

const templates = synthesize();
const { data, service, triggers } = templates;
const [busId] = findByPath(data, 'Events/Resource');

it('makes one rule on the bus per listener', () => {
  const rules = findAll(triggers, 'AWS::Events::Rule').filter(
    ([, { Properties }]) => 'EventPattern' in Properties,
  );
  expect(rules).toHaveLength(Object.keys(listeners).length);
});

describe.each(Object.entries<Listener>(listeners))(
  'the listener %s',
  (name, { source, takenUpBy }) => {
    const [functionId] = findByPath(service, `${name}/Function/Resource`);
    const [ruleId, rule] = findByPath(triggers, `Triggers/${name}-bus/Rule/Resource`);
    const queueArn = () => ({
      'Fn::GetAtt': [findByPath(service, `${name}-dead-letters/Resource`)[0], 'Arn'],
    });

    it('is told of every event of its source on the bus of the service', () => {
      expect(renderText(rule.Properties.EventBusName, templates)).toBe(`<${busId}>`);
      expect(rule.Properties).toMatchObject({
        State: 'ENABLED',
        EventPattern: { source: [source] },
        Targets: [{ Arn: { 'Fn::GetAtt': [functionId, 'Arn'] } }],
      });
    });

    it('may be called by that rule', () => {
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

    it.runIf(takenUpBy)('leaves no trace of what a schedule takes up', () => {
      expect(rule.Properties.Targets).not.toMatchObject([{ DeadLetterConfig: expect.anything() }]);
      const configured = () => findByPath(service, `${name}/Function/EventInvokeConfig/Resource`);
      expect(configured).toThrow();
    });

    it.skipIf(takenUpBy)('is tried for a day by the bus, which then puts the event aside', () => {
      expect(rule.Properties.Targets).toMatchObject([
        {
          RetryPolicy: { MaximumEventAgeInSeconds: 24 * 3600, MaximumRetryAttempts: 185 },
          DeadLetterConfig: { Arn: queueArn() },
        },
      ]);
      const [, policy] = findByPath(service, `${name}-dead-letters/Policy/Resource`);
      expect(render(policy.Properties.PolicyDocument, templates)).toMatchObject({
        Statement: expect.arrayContaining([
          expect.objectContaining({
            Effect: 'Allow',
            Action: 'sqs:SendMessage',
            Principal: { Service: 'events.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': `<${ruleId}.Arn>` } },
          }),
        ]),
      });
    });

    it.skipIf(takenUpBy)(
      'is run three times, and the event put aside where it fails each time',
      () => {
        const [, config] = findByPath(service, `${name}/Function/EventInvokeConfig/Resource`);
        expect(config.Properties).toMatchObject({
          MaximumRetryAttempts: 2,
          MaximumEventAgeInSeconds: 6 * 3600,
          DestinationConfig: { OnFailure: { Destination: queueArn() } },
        });
      },
    );
  },
);
