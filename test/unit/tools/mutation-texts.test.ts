import { describe, expect, it } from 'vitest';
import { strykerPlugins } from '#tools/mutation/mutation-texts.ts';

const inCode = { type: 'ObjectProperty', key: { name: 'ConditionExpression' } };
const inSuper = { type: 'CallExpression', callee: { type: 'Super' } };

/** Whether Stryker leaves a literal out that stands below such a parent. */
function leavesOut(node: object, parent: object): boolean {
  return strykerPlugins.some(({ value }) => value.shouldIgnore({ node, parent }) !== undefined);
}

function literal(value: string) {
  return { type: 'StringLiteral', value };
}

function template(parts: readonly string[], expression: object) {
  return {
    type: 'TemplateLiteral',
    quasis: parts.map((raw) => ({ value: { raw } })),
    expressions: parts.slice(1).map(() => expression),
  };
}

const name = { type: 'Identifier', name: 'stage' };

describe('texts that people read', () => {
  it.each([
    'There is no such job.',
    '1 to 255 characters are needed.',
    "'a' is no project.",
    'Cancelled by its owner.',
  ])('are left out wherever they stand: %s', (text) => {
    expect(leavesOut(literal(text), inCode)).toBe(true);
  });

  it.each([
    { parent: inSuper },
    { parent: { type: 'NewExpression', callee: { name: 'QuotaInUseError' } } },
    { parent: { type: 'ObjectProperty', key: { name: 'message' } } },
    { parent: { type: 'VariableDeclarator', id: { name: 'message' } } },
  ])('are left out as the message of an error: $parent', ({ parent }) => {
    expect(leavesOut(literal('the storage failed'), parent)).toBe(true);
    expect(leavesOut(literal('lower'), parent)).toBe(false);
  });

  it('are left out with names in them, and not with code that has mutants of its own', () => {
    const parts = ['The job is ', '.'];
    expect(leavesOut(template(parts, name), inCode)).toBe(true);
    expect(leavesOut(template(parts, { type: 'ConditionalExpression' }), inCode)).toBe(false);
  });

  it.each([
    { parts: ['', ' = :', '_', ''] },
    { parts: ['SET ', ' = :', ''] },
    { parts: ['USER#', ''] },
  ])('are not expressions with names in them: $parts', ({ parts }) => {
    expect(leavesOut(template(parts, name), inCode)).toBe(false);
  });

  it.each([
    'attribute_not_exists(PK) AND space_held >= :space',
    'SET stages = list_append(stages, :moment)',
    'QUOTA#',
    'SUCCESSFUL',
    'job submitted',
    'profile',
    '',
  ])('are not what the service works with: %s', (text) => {
    expect(leavesOut(literal(text), inCode)).toBe(false);
  });
});
