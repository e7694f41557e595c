import { describe, expect, it } from 'vitest';
import { makeBatchId } from '#lib/batches/batch.ts';
import {
  compileTemplate,
  countCharacters,
  valuesAt,
  writeEnvironment,
} from '#lib/batches/fill-template.ts';
import { isBatchId } from '#lib/catalog/identifiers.ts';

const values = { index: 7, columns: ['alpha', 'Beta'], cells: ['0.1', '{alpha}'] };
const fill = (text: string) => compileTemplate(text, values.columns).fill(values);
const dollar = '$';

describe('a template', () => {
  it.each([
    ['run {index}', 'run 7'],
    ['{alpha}{alpha} {index}', '0.10.1 7'],
    ['no marks', 'no marks'],
    ['', ''],
    ['{other} {} {1..3} {INDEX} { index } {{index}}', '{other} {} {1..3} {INDEX} { index } {7}'],
    ["awk '{print}'", "awk '{print}'"],
    [
      `${dollar}{index} ${dollar}{alpha} ${dollar} {alpha}`,
      `${dollar}{index} ${dollar}{alpha} ${dollar} 0.1`,
    ],
    ['{beta} {Beta}', '{beta} {alpha}'],
  ])('writes %j as %j', (text, filled) => {
    expect(fill(text)).toBe(filled);
  });

  it('does not read values as patterns or marks', () => {
    const special = { index: 0, columns: ['a'], cells: ['$& $1 {index}'] };
    expect(compileTemplate('x {a}', ['a']).fill(special)).toBe('x $& $1 {index}');
  });
});

describe('the length of a filled template', () => {
  const measure = (text: string, cells: readonly string[]) =>
    compileTemplate(text, ['alpha', 'Beta']).measure(7, (at) => countCharacters(cells[at] ?? ''));

  it.each(['run {index} {alpha}{alpha} {Beta}', '{other} 😀 {alpha}', 'no marks', ''])(
    'of %j is known before it is written',
    (text) => {
      const cells = ['0.1', 'ä😀'];
      const filled = compileTemplate(text, values.columns).fill({ ...values, cells });
      expect(measure(text, cells)).toBe([...filled].length);
    },
  );

  it('is known even if nothing could hold the text', () => {
    expect(measure('{alpha}'.repeat(1000), ['x'.repeat(1_000_000)])).toBe(1_000_000_000);
  });

  it.each([
    [' {alpha}', [' '], false],
    [' {alpha}', [' ', 'x'], false],
    ['{alpha}{Beta}', [' ', 'x'], true],
    ['{index}', [], true],
    ['x {alpha}', [], true],
  ])('of %j with %j: not blank is %j', (text, cells, hasContent) => {
    expect(compileTemplate(text, ['alpha', 'Beta']).hasContent(cells)).toBe(hasContent);
  });
});

describe('the values of a job', () => {
  it('have the index that an earlier batch gave them', () => {
    const rows = { columns: ['a'], rows: [['x'], ['y']], indexes: [4, 9] };
    expect(valuesAt(rows, 1)).toEqual({ index: 9, columns: ['a'], cells: ['y'] });
    expect(valuesAt({ columns: [], rows: [] }, 3)).toEqual({ index: 3, columns: [], cells: [] });
  });

  it('become variables of the environment', () => {
    expect(writeEnvironment(values)).toEqual({
      SLIPWAY_INDEX: '7',
      SLIPWAY_ALPHA: '0.1',
      SLIPWAY_BETA: '{alpha}',
    });
  });
});

describe('the id of a batch', () => {
  it('is a UUID of version 7 that sorts by time', () => {
    const ids = [1, 2, 1000, 2 ** 40].map((at) => makeBatchId(new Date(at)));
    expect(ids.every(isBatchId)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(makeBatchId(new Date(0), Buffer.alloc(10, 255))).toBe(
      '00000000-0000-7FFF-BFFF-FFFFFFFFFFFF',
    );
  });
});
