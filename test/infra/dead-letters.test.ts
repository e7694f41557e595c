import { describe, expect, it } from 'vitest';
import { allFunctions } from './functions-of.ts';
import { findAll, findByPath, synthesize } from './synthesize.ts';

const { service } = synthesize();
const names = allFunctions.filter(({ hasDeadLetters }) => hasDeadLetters).map(({ name }) => name);

it('are kept in one queue per function whose work nothing else takes up', () => {
  expect(names.length).toBeGreaterThan(2);
  expect(findAll(service, 'AWS::SQS::Queue')).toHaveLength(names.length);
});

describe.each(names)('the dead letters of %s', (name) => {
  const [, queue] = findByPath(service, `${name}-dead-letters/Resource`);

  it('are encrypted, and kept as long as SQS can', () => {
    expect(queue.Properties).toEqual({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 3600,
    });
  });

  it('travel over TLS alone', () => {
    const [, policy] = findByPath(service, `${name}-dead-letters/Policy/Resource`);
    expect(policy.Properties.PolicyDocument).toMatchObject({
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Deny',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ]),
    });
  });
});
