import { describe, expect, it } from 'vitest';
import { openScreen, writeBar, writeTable } from '#client/src/cli/terminal/screen.ts';
import {
  cleanText,
  createOutputCleaner,
  cutText,
  measureText,
  wrapText,
} from '#client/src/cli/terminal/text.ts';
import { writeCsv } from '#client/src/rows/write-csv.ts';

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

  it('is as wide as its content', () => {
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

  it('shortens cells first, then drops spare columns', () => {
    expect(writeTable(rows, columns, 30)[1]).toBe('a long title of …  10 GB  why');
    expect(writeTable(rows, columns, 18)).toEqual([
      'NAME          SIZE',
      'a long tit…  10 GB',
      '神经元        1 KB',
    ]);
  });
});

describe('the last column of a table', () => {
  const rows = [{ name: 'a rather long title of a job', why: 'it waits for a node of this class' }];
  const columns = [
    { head: 'NAME', cell: ({ name }: (typeof rows)[number]) => name, shrinks: true },
    { head: 'WHY', cell: ({ why }: (typeof rows)[number]) => why, shrinks: true },
  ];

  it('is wrapped, before any other column is cut', () => {
    expect(writeTable(rows, columns, 56)).toEqual([
      'NAME                          WHY',
      'a rather long title of a job  it waits for a node of',
      '                              this class',
    ]);
    expect(writeTable(rows, columns, 40)).toEqual([
      'NAME            WHY',
      'a rather long…  it waits for a node of',
      '                this class',
    ]);
  });

  it.each([50, 30, 20, 18])('has no line of more than %d columns', (width) => {
    const lines = writeTable(rows, columns, width);
    for (const line of lines) expect(measureText(line)).toBeLessThanOrEqual(width);
    expect(lines.map((line) => line.slice(10).trim()).join(' ')).toContain('class');
  });

  it('breaks words that are too long', () => {
    expect(wrapText('on proj_hpc_one_01, 神经元神经元', 8)).toEqual([
      'on',
      'proj_hpc',
      '_one_01,',
      '神经元神',
      '经元',
    ]);
    expect(wrapText('', 8)).toEqual(['']);
  });

  it('is whole in files and pipes, where other columns are capped', () => {
    const long = 'word '.repeat(40).trim();
    const [, line] = writeTable([{ name: long, why: long }], columns, Number.POSITIVE_INFINITY);
    expect(line).toBe(`${long.slice(0, 39)}…  ${long}`);
  });
});

describe('untrusted text', () => {
  it('cannot control the terminal', () => {
    expect(cleanText('a\x1b[2Jb\r\nc\u202ed\x9b31m')).toBe(
      'a\ufffd[2Jb\ufffd\ufffdc\ufffdd\ufffd31m',
    );
    expect(cleanText('größe 神经元 🧠')).toBe('größe 神经元 🧠');
  });

  it('is measured by its width on the terminal', () => {
    expect(measureText('\x1b[31mred\x1b[0m')).toBe(3);
    expect(measureText('神经🧠')).toBe(6);
    expect(measureText('e\u0301')).toBe(1);
    expect(cutText('神经元神经元', 6)).toBe('神经…');
  });
});

describe('the output of a job, on a terminal', () => {
  const clean = (...pieces: readonly (string | Buffer)[]) => {
    const cleaner = createOutputCleaner();
    const cleaned = pieces.map((piece) => cleaner.clean(Buffer.from(piece)));
    return [...cleaned, cleaner.end()].join('');
  };

  it.each([
    { what: 'a title', written: '\x1b]0;owned\x07after', shown: '\ufffd]0;owned\ufffdafter' },
    { what: 'colours', written: '\x1b[1;31mred\x1b[0m', shown: 'red' },
    { what: 'a cleared screen', written: 'a\x1b[2J\x1b[Hb', shown: 'ab' },
    { what: 'one byte of C1', written: 'a\u009b2Jb', shown: 'a\ufffd2Jb' },
    { what: 'another direction', written: 'a\u202eb', shown: 'a\ufffdb' },
    { what: 'lines and columns', written: 'a\tb\r\nc\n', shown: 'a\tb\nc\n' },
    { what: 'a line written over', written: '10 %\r100 %\n', shown: '10 %\n100 %\n' },
    { what: 'text', written: 'größe 神经元 🧠', shown: 'größe 神经元 🧠' },
  ])('is harmless: $what', ({ written, shown }) => {
    expect(clean(written)).toBe(shown);
    const bytes = Buffer.from(written);
    expect(clean(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toBe(shown);
  });
});

describe('a screen', () => {
  function open(isTTY: boolean, rows?: number) {
    const written = { out: '', err: '' };
    const add = (where: 'out' | 'err', text: unknown) => {
      written[where] += text;
    };
    const host = {
      out: { isTTY, columns: 80, rows, write: (text: unknown) => add('out', text) },
      err: { isTTY, columns: 80, write: (text: unknown) => add('err', text) },
      environment: {},
      ask: async () => undefined,
      openPage: () => undefined,
      onInterrupt: () => undefined,
    };
    return { screen: openScreen(host), written };
  }
  const evil = 'a\x1b]0;owned\x07\x1b[8mb\u009bc\u202ed';
  const harmless = 'a\ufffd]0;owned\ufffd\ufffd[8mb\ufffdc\ufffdd';

  it('passes only its own colours and line breaks to a terminal', () => {
    const { screen, written } = open(true);
    screen.say(evil, screen.paint('red', 'failed'));
    screen.tell(evil);
    screen.raw(`${evil}\r\n`);
    expect(written.out).toBe(`${harmless}\n\x1b[31mfailed\x1b[0m\n${harmless}\n`);
    expect(written.err).toBe(`${harmless}\n`);
  });

  it('cleans redrawn lines and progress in the same way', () => {
    const { screen, written } = open(true);
    screen.redraw([evil]);
    screen.progress(`${evil}\n`);
    expect(written.out).toBe(`\x1b[J${harmless}\n`);
    expect(written.err).toBe(`\r${harmless}\ufffd\x1b[K`);
  });

  it('draws again no more lines than it has', () => {
    const { screen, written } = open(true, 3);
    screen.redraw(['a', 'b', 'c', 'd']);
    screen.redraw(['e', 'f']);
    expect(written.out).toBe('\x1b[Ja\nb\n\x1b[2A\x1b[Je\nf\n');
  });

  it('passes text unchanged to programs', () => {
    const { screen, written } = open(false);
    screen.say(JSON.stringify({ title: 'a\u202eb' }));
    screen.raw(`${evil}\r\n`);
    expect(written.out).toBe(`{"title":"a\u202eb"}\n${evil}\r\n`);
  });
});

describe('a bar', () => {
  it('is empty only at zero and full only at the end', () => {
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
  it('has a column for each field, including nested ones', () => {
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
      openPage: () => undefined,
      onInterrupt: () => undefined,
    });

  it('appear only on terminals that support them', () => {
    expect(open(true).paint('red', 'x')).toBe('\x1b[31mx\x1b[0m');
    expect(open(false).paint('red', 'x')).toBe('x');
    expect(open(true, { NO_COLOR: '1' }).paint('red', 'x')).toBe('x');
    expect(open(true, { TERM: 'dumb' }).paint('red', 'x')).toBe('x');
  });
});
