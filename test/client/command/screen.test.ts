import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../client/src/cli/screen/clean-text.ts';
import { cutText, measureText } from '../../../client/src/cli/screen/measure-text.ts';
import { openScreen } from '../../../client/src/cli/screen/screen.ts';
import { writeBar } from '../../../client/src/cli/screen/write-bar.ts';
import { writeCsv } from '../../../client/src/cli/screen/write-csv.ts';
import { writeTable } from '../../../client/src/cli/screen/write-table.ts';

describe('a table', () => {
  const rows = [
    { name: 'a long title of a job', size: '10 GB', note: 'why' },
    { name: '神经元', size: '1 KB', note: '' },
  ];
  const columns = [
    { head: 'NAME', cell: ({ name }: (typeof rows)[number]) => name, shrinks: true },
    { head: 'SIZE', cell: ({ size }: (typeof rows)[number]) => size, align: 'right' as const },
    { head: 'NOTE', cell: ({ note }: (typeof rows)[number]) => note, spare: 1 },
  ];

  it('is as wide as what is in it', () => {
    expect(writeTable(rows, columns, 80)).toEqual([
      'NAME                    SIZE  NOTE',
      'a long title of a job  10 GB  why',
      '神经元                  1 KB',
    ]);
  });

  it.each([34, 30, 24, 20, 15])('has no line of more than %d columns', (width) => {
    for (const line of writeTable(rows, columns, width)) {
      expect(measureText(line)).toBeLessThanOrEqual(width);
    }
  });

  it('cuts what can be cut, then leaves out what can be spared', () => {
    expect(writeTable(rows, columns, 30)[1]).toBe('a long title of …  10 GB  why');
    expect(writeTable(rows, columns, 18)).toEqual([
      'NAME          SIZE',
      'a long tit…  10 GB',
      '神经元        1 KB',
    ]);
  });
});

describe('text of others', () => {
  it('steers no terminal', () => {
    expect(cleanText('a\x1b[2Jb\r\nc\u202ed\x9b31m')).toBe(
      'a\ufffd[2Jb\ufffd\ufffdc\ufffdd\ufffd31m',
    );
    expect(cleanText('größe 神经元 🧠')).toBe('größe 神经元 🧠');
  });

  it('is measured as a terminal shows it', () => {
    expect(measureText('\x1b[31mred\x1b[0m')).toBe(3);
    expect(measureText('神经🧠')).toBe(6);
    expect(measureText('e\u0301')).toBe(1);
    expect(cutText('神经元神经元', 6)).toBe('神经…');
  });
});

describe('a bar', () => {
  it('shows something where there is something, and an end only at the end', () => {
    expect(writeBar(0, 4)).toBe('────');
    expect(writeBar(0.0001, 4)).toBe('━───');
    expect(writeBar(0.5, 4)).toBe('━━──');
    expect(writeBar(0.9999, 4)).toBe('━━━─');
    expect(writeBar(1, 4)).toBe('━━━━');
    expect(writeBar(7, 4)).toBe('━━━━');
    expect(writeBar(Number.NaN, 4)).toBe('────');
  });
});

describe('CSV', () => {
  it('has a column for each field, also of what is within', () => {
    const rows = [
      { a: 1, b: { c: null, d: 'x,y' }, e: ['p', 'q'] },
      { a: -2, f: '-2' },
    ];
    expect(writeCsv(rows)).toBe('a,b.c,b.d,e,f\r\n1,,"x,y",p q,\r\n-2,,,,\'-2\r\n');
  });
});

describe('colours', () => {
  const open = (isTTY: boolean, environment = {}) =>
    openScreen({
      out: { write: () => undefined, isTTY },
      err: { write: () => undefined },
      environment,
      ask: async () => undefined,
      onInterrupt: () => undefined,
    });

  it('are for terminals that want them', () => {
    expect(open(true).paint('red', 'x')).toBe('\x1b[31mx\x1b[0m');
    expect(open(false).paint('red', 'x')).toBe('x');
    expect(open(true, { NO_COLOR: '1' }).paint('red', 'x')).toBe('x');
    expect(open(true, { TERM: 'dumb' }).paint('red', 'x')).toBe('x');
  });
});
