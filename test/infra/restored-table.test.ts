import { describe, expect, it } from 'vitest';
import { findAll, findByPath, joinServing, production, synthesize } from './synthesize.ts';

const tableArn = 'arn:aws:dynamodb:eu-central-1:123456789012:table/slipway-restored';
const tableStreamArn = `${tableArn}/stream/2026-11-15T08:30:00.000`;

const usual = synthesize(production);
const moved = synthesize({ ...production, tableStreamArn });
const [ownTable] = findByPath(usual.data, 'Table/Resource');

describe('a service that was moved over to a restored table', () => {
  it('leaves the table of its stack as it is', () => {
    expect(moved.data.Resources[ownTable]).toEqual(usual.data.Resources[ownTable]);
    expect(findAll(moved.data, 'AWS::DynamoDB::Table')).toHaveLength(1);
  });

  it('has nothing to do with that one any more', () => {
    const exported = Object.values(usual.data.Outputs ?? {}).flatMap(({ Export, Value }) =>
      Export && JSON.stringify(Value).includes(ownTable) ? [Export.Name] : [],
    );
    expect(exported.length).toBeGreaterThan(0);
    for (const name of exported) {
      expect(JSON.stringify(joinServing(usual))).toContain(name);
      expect(JSON.stringify(joinServing(moved))).not.toContain(name);
    }
  });

  it('tells its functions, and those who run commands, of the other', () => {
    expect(moved.data.Outputs?.TableName?.Value).toBe('slipway-restored');
    const names = findAll(joinServing(moved), 'AWS::Lambda::Function').flatMap(
      ([, { Properties }]) => {
        const { Variables } = Object(Properties.Environment);
        return Variables.TABLE_NAME === undefined ? [] : [Variables.TABLE_NAME];
      },
    );
    expect(new Set(names)).toEqual(new Set(['slipway-restored']));
  });

  it('allows them the same as before, there', () => {
    const describeRoles = (text: string) =>
      text.replaceAll(/\{"Fn::ImportValue":"[^"]*Table[^"]*"\}/g, '');
    const actionsOf = (templates: typeof usual) =>
      findAll(joinServing(templates), 'AWS::IAM::Role').map(([id, { Properties }]) => [
        id,
        [...describeRoles(JSON.stringify(Properties)).matchAll(/"dynamodb:\w+"/g)].map(
          ([action]) => action,
        ),
      ]);
    expect(actionsOf(moved)).toEqual(actionsOf(usual));
    const roles = JSON.stringify(findAll(joinServing(moved), 'AWS::IAM::Role'));
    expect(roles).toContain(`"${tableArn}"`);
    expect(roles).toContain(`"${tableArn}/index/due"`);
    expect(roles).toContain('"kms:EncryptionContext:aws:dynamodb:tableName":"slipway-restored"');
  });

  it('reads its stream', () => {
    const sources = findAll(moved.service, 'AWS::Lambda::EventSourceMapping').map(
      ([, { Properties }]) => Properties.EventSourceArn,
    );
    expect(sources.length).toBeGreaterThan(0);
    expect(new Set(sources)).toEqual(new Set([tableStreamArn]));
  });
});
