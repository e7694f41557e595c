import { describe, expect, it } from 'vitest';
import { describeMutant } from '../../../tools/mutation/describe-mutant.ts';
import { findTests, folders } from '../../../tools/mutation/folders.ts';
import type { Mutant } from '../../../tools/mutation/run-stryker.ts';
import { scoreMutants } from '../../../tools/mutation/score.ts';
import { strykerPlugins } from '../../../tools/mutation/stryker-plugins.ts';

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

const location = { start: { line: 2, column: 7 }, end: { line: 2, column: 12 } };

function mutant(status: Mutant['status'], more: Partial<Mutant> = {}): Mutant {
  return {
    id: '1',
    fileName: 'lib/table/keys.ts',
    mutatorName: 'EqualityOperator',
    replacement: 'a <= b',
    location,
    status,
    ...more,
  };
}

describe('a score', () => {
  it('is the share of mutants that a test noticed', () => {
    const mutants = [
      mutant('Killed'),
      mutant('Timeout'),
      mutant('Killed'),
      mutant('Survived'),
      mutant('NoCoverage'),
      mutant('Ignored'),
      mutant('RuntimeError'),
    ];
    expect(scoreMutants(mutants)).toEqual({
      killed: 3,
      survivors: [mutants[3], mutants[4]],
      percent: 60,
      leftOut: 2,
    });
  });

  it('leaves out what is evaluated while modules are loaded, and keeps what tests call as well', () => {
    const loading = ['test/handlers/apart/errors.test.ts#loads them anew'];
    const calling = [...loading, 'test/unit/table/keys.test.ts#calls it'];
    const kept = mutant('Survived', { static: true, coveredBy: calling });
    const loaded = mutant('Killed', { static: true, coveredBy: loading });
    expect(scoreMutants([loaded, kept])).toMatchObject({
      killed: 0,
      survivors: [kept],
      leftOut: 1,
    });
  });

  it('is full where there is nothing to notice', () => {
    expect(scoreMutants([]).percent).toBe(100);
  });
});

describe('a mutant', () => {
  it('is described by its place, what stood there and what took its place', () => {
    expect(describeMutant(mutant('Survived'), 'first\nwhile(a < b) {}\n')).toBe(
      'lib/table/keys.ts:2:7  a < b  ->  a <= b',
    );
    expect(describeMutant(mutant('NoCoverage'), 'first\nwhile(a < b) {}\n')).toBe(
      'lib/table/keys.ts:2:7  a < b  ->  a <= b  (met by no test)',
    );
  });

  it('is described on one line, also where it was many', () => {
    const end = { line: 4, column: 2 };
    const block = mutant('Survived', { location: { ...location, end }, replacement: '{}' });
    expect(describeMutant(block, 'first\nfor() {\n  a();\n} // b')).toBe(
      'lib/table/keys.ts:2:7  { a(); }  ->  {}',
    );
  });
});

describe('the tests of a folder', () => {
  it.each([...folders.keys()])('are there: %s', (folder) => {
    const tests = findTests(folder);
    expect(tests).toEqual(expect.arrayContaining(['test/unit/quotas/**/*.test.ts']));
    expect(tests.includes('test/unit/hpc/**/*.test.ts')).toBe(folder === 'lib/hpc');
  });

  it('are those of every file in it', () => {
    expect(findTests('lib/users/profile.ts')).toEqual(findTests('lib/users'));
    expect(findTests('lib/http/parsers')).toEqual(findTests('lib/http'));
  });

  it.each([
    'lib/telemetry',
    'lib/user',
    'lib/users/nobody.ts',
    'lib',
    'lib/http/answers',
    'lib/http/answers/job.ts',
  ])('are none for %s', (path) => {
    expect(() => findTests(path)).toThrow(`${path} is not a folder or file that can be mutated.`);
  });
});
