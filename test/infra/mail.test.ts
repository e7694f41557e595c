import { describe, expect, it } from 'vitest';
import { allFunctions } from './functions-of.ts';
import { render } from './render.ts';
import { findByPath, joinServing, synthesize, type Templates } from './synthesize.ts';

const plain = synthesize();
const mailed = synthesize({ emailFrom: 'slipway@example.org' });

interface Statement {
  readonly Action: string | readonly string[];
}

function statementsOf(templates: Templates, name: string): Statement[] {
  const [, role] = findByPath(joinServing(templates), `${name}/Role/Resource`);
  const { Policies } = render(role.Properties, templates) as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

function environmentOf(templates: Templates, name: string): Record<string, unknown> {
  const [, { Properties }] = findByPath(joinServing(templates), `${name}/Function/Resource`);
  const { Environment } = render(Properties, templates) as {
    Environment: { Variables: Record<string, unknown> };
  };
  return Environment.Variables;
}

describe('with an address for mails', () => {
  it('one function may send, and only from that address', () => {
    const ses = 'arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>';
    for (const { name } of allFunctions) {
      const sending = statementsOf(mailed, name).filter(({ Action }) =>
        [Action].flat().some((action) => action.startsWith('ses:')),
      );
      const allowed = {
        Effect: 'Allow',
        Action: 'ses:SendEmail',
        Resource: [
          `${ses}:identity/slipway@example.org`,
          `${ses}:identity/example.org`,
          `${ses}:configuration-set/*`,
        ],
        Condition: { StringEquals: { 'ses:FromAddress': 'slipway@example.org' } },
      };
      expect(sending, name).toEqual(name === 'deliver-events' ? [allowed] : []);
    }
  });

  it('the functions that tell by mail know it, and the sender can write links', () => {
    const telling = ['read-webhooks', 'change-notifications', 'queue-deliveries', 'fallback'];
    for (const name of [...telling, 'deliver-events']) {
      expect(environmentOf(mailed, name).MAIL_FROM).toBe('Slipway <slipway@example.org>');
    }
    expect(environmentOf(mailed, 'deliver-events')).toMatchObject({
      PASS_SECRET: expect.stringContaining('PassSecret'),
      PUBLIC_URL: expect.any(String),
    });
    expect(environmentOf(mailed, 'queue-deliveries')).not.toHaveProperty('PASS_SECRET');
  });
});

describe('without one', () => {
  it('nothing of it is there', () => {
    for (const { name } of allFunctions) {
      expect(environmentOf(plain, name)).not.toHaveProperty('MAIL_FROM');
      expect(JSON.stringify(statementsOf(plain, name))).not.toContain('ses:');
    }
    expect(environmentOf(plain, 'deliver-events')).not.toHaveProperty('PASS_SECRET');
  });
});
