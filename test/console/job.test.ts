import { describe, expect, it, vi } from 'vitest';
import { createClient, type Job, type JobFile } from '#client/src/index.ts';
import { describeResult, discardActFor } from '#console/src/job/discard-jobs.ts';
import { chooseFirst, groupFiles } from '#console/src/job/job-files.tsx';
import { whyItWaits } from '#console/src/job/job-frame.tsx';
import { readMembers } from '#console/src/job/json-view.tsx';
import { readAnsi } from '#console/src/job/read-ansi.ts';
import {
  findSeparator,
  parseJson,
  readContents,
  readText,
} from '#console/src/job/read-contents.ts';
import { gatherFiles, nameFolder, nameInZip } from '#console/src/job/save-all-button.tsx';
import { readNumbers, readTable } from '#console/src/job/table-view.tsx';
import {
  findFirstError,
  findText,
  numberLines,
  pageAt,
  splitPages,
  stepTo,
} from '#console/src/job/text-view.tsx';
import { layOutTimeline } from '#console/src/job/timeline-bar.tsx';
import { stageOf } from './stages.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 15, 8, 30, seconds)).toISOString();

const job: Job = {
  id: 1,
  job_id: 'J-1',
  owner: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'p',
  title: '',
  runtime: 1,
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
  init_date: at(0),
  end_date: at(100),
};

describe('a timeline', () => {
  const meaningOf = (stage: string) =>
    stageOf({ project_hpc: 'HPC_ONE', stage, terminal_stage: false, failed: false }).meaning;
  const stages = [
    { stage: 'QUEUED', since: at(0) },
    { stage: 'RUNNING', since: at(25) },
    { stage: 'STAGINGOUT', since: at(90) },
    { stage: 'SUCCESSFUL', since: at(100) },
  ];

  it('is to scale, and ends where the job did', () => {
    const { segments } = layOutTimeline({ stages, tries: [] }, new Date(at(100)), meaningOf);
    expect(segments).toEqual([
      { since: at(0), stage: 'QUEUED', meaning: 'waiting', seconds: 25, share: 0.25 },
      { since: at(25), stage: 'RUNNING', meaning: 'running', seconds: 65, share: 0.65 },
      { since: at(90), stage: 'STAGINGOUT', meaning: 'finishing', seconds: 10, share: 0.1 },
    ]);
  });

  it('ends now while the job is active', () => {
    const active = { stages: stages.slice(0, 2), tries: [] };
    const { segments } = layOutTimeline(active, new Date(at(50)), meaningOf);
    expect(segments.map(({ share }) => share)).toEqual([0.5, 0.5]);
  });

  it('shows when the job was handed over', () => {
    const tries = [
      { at: at(0), accepted: false, reason: 'It did not answer.' },
      { at: at(20), accepted: true, reason: null },
    ];
    const { ticks } = layOutTimeline({ stages, tries }, new Date(at(100)), meaningOf);
    expect(ticks.map(({ place, accepted }) => [place, accepted])).toEqual([
      [0, false],
      [0.2, true],
    ]);
  });

  it('can be empty, and keeps ticks within its ends', () => {
    expect(layOutTimeline({ stages: [], tries: [] }, new Date(at(0)), meaningOf)).toEqual({
      segments: [],
      ticks: [],
    });
    const early = [{ at: at(-5), accepted: true, reason: null }];
    const { ticks } = layOutTimeline({ stages, tries: early }, new Date(at(100)), meaningOf);
    expect(ticks[0]?.place).toBe(0);
  });
});

describe('why a job waits', () => {
  const timeline = {
    job_id: 'A',
    stage: 'QUEUED',
    terminal_stage: false,
    running_since: null,
    ran_seconds: null,
    stages: [],
  };
  const refused = { at: at(0), accepted: false, reason: 'It did not answer.' };

  it.each([
    ['the system gives a reason', { reason: 'Priority', tries: [refused] }, 'Priority'],
    ['the last try gives a reason', { reason: null, tries: [refused] }, 'It did not answer.'],
    [
      'the system has the job',
      { reason: null, tries: [{ ...refused, accepted: true }] },
      undefined,
    ],
    ['nothing was tried yet', { reason: null, tries: [] }, undefined],
  ])('%s', (_, change, expected) => {
    expect(whyItWaits({ ...timeline, ...change })).toBe(expected);
  });

  it('names the jobs that are waited for by their titles', () => {
    const awaited = {
      job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
      hpc: 'hpc_one',
      project_name: 'p',
      title: 'sweep',
      stage: 'RUNNING',
      state: 'active',
      any_end: false,
      gives_input: true,
    } as const;
    const after = [awaited, { ...awaited, title: '' }, { ...awaited, state: 'succeeded' as const }];
    const reason = 'Waits for AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA.';
    expect(whyItWaits({ ...timeline, reason, tries: [], after })).toBe(
      'Waits for sweep and AF17D39A.',
    );
  });

  it('is not said once the job has ended', () => {
    expect(
      whyItWaits({ ...timeline, terminal_stage: true, reason: null, tries: [refused] }),
    ).toBeUndefined();
  });
});

describe('an output', () => {
  it.each([
    ['fine\nTraceback (most recent call last):\n  x', { line: 2, at: 5, length: 34 }],
    ['a\nb\nslurmstepd: ERROR: killed', { line: 3, at: 4, length: 25 }],
    ['0 errorless lines\nterror', undefined],
    ['', undefined],
  ])('%j has its first error at %j', (text, place) => {
    expect(findFirstError(text)).toEqual(place);
  });

  it('is searched for an error as a whole, not line by line', () => {
    const split = vi.spyOn(String.prototype, 'split');
    const text = `${'\n'.repeat(1_000_000)}fatal`;
    expect(findFirstError(text)).toEqual({ line: 1_000_001, at: 1_000_000, length: 5 });
    expect(split).not.toHaveBeenCalled();
    split.mockRestore();
  });

  it.each([
    ['step 1\nStep 2', 'step', [0, 7]],
    ['aaaa', 'aa', [0, 2]],
    ['İx x', 'x', [1, 3]],
    ['anything', '', []],
    ['anything', 'else', []],
  ])('%j has %j at %j', (text, wanted, places) => {
    expect(findText(text, wanted)).toEqual(places);
  });

  it('is searched from place to place, in a circle', () => {
    expect(stepTo([3, 5, 9], 0, 1)).toBe(1);
    expect(stepTo([3, 5, 9], 2, 1)).toBe(0);
    expect(stepTo([3, 5, 9], 0, -1)).toBe(2);
    expect(stepTo([], 0, 1)).toBe(0);
  });

  it('is only shown if it is text', async () => {
    expect(await readText(new Response('größer'))).toBe('größer');
    expect(await readText(new Response(new Uint8Array([80, 75, 0])))).toBeUndefined();
    expect(await readText(new Response())).toBe('');
  });

  it('is not loaded to its end if it is something else', async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (queue) => queue.enqueue(new Uint8Array(1000)),
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await readText(new Response(endless))).toBeUndefined();
    expect(cancelled).toBe(true);
  });

  it('is split into pages that end with a line, unless a line is too long', () => {
    expect(splitPages('', 4)).toEqual([0]);
    expect(splitPages('abcd', 4)).toEqual([0]);
    expect(splitPages('ab\ncd\nef\n', 4)).toEqual([0, 3, 6]);
    expect(splitPages('abcdefghij', 4)).toEqual([0, 4, 8]);
    expect(splitPages('abc\ndef\n', 4)).toEqual([0, 4]);
    expect([0, 3, 5, 6, 99].map((place) => pageAt([0, 3, 6], place))).toEqual([0, 1, 1, 2, 2]);
  });
});

describe('how a file is shown', () => {
  const read = (file: Partial<JobFile>, bytes: Uint8Array<ArrayBuffer> | string) => {
    const client = createClient({
      baseUrl: 'https://slipway.test',
      token: 'a token',
      fetch: async () => new Response(bytes),
    });
    const place = { hpc: 'hpc_one', project_name: 'p', job_id: 'J-1', file_id: '1' };
    const listed = { fileid: '1', filename: 'a', length: 10, ...file } as JobFile;
    return readContents(client, place, listed, new AbortController().signal);
  };

  it.each([
    ['plot.png', 'image/png'],
    ['plot.JPG', 'image/jpeg'],
    ['plot.jpeg', 'image/jpeg'],
    ['sub/plot.gif', 'image/gif'],
    ['plot.webp', 'image/webp'],
    ['plot.svg', 'image/svg+xml'],
  ])('%s as %s', async (filename, type) => {
    expect(await read({ filename }, 'x')).toEqual({
      kind: 'image',
      blob: expect.objectContaining({ type }),
    });
  });

  it.each([
    ['table.csv', 'a,b\n1,2', ','],
    ['table.CSV', 'a;b\n1,5;2', ';'],
    ['table.csv', 'a\tb', '\t'],
    ['table.csv', 'alone', ','],
    ['table.tsv', 'a,b', '\t'],
  ])('%s with %j as a table of %j', async (filename, text, separator) => {
    expect(await read({ filename }, text)).toEqual({ kind: 'table', text, separator });
  });

  it.each(['page.html', 'run.xml', 'main.js', 'stdout', 'data.pdf'])(
    '%s as text',
    async (filename) => {
      const text = '<script>alert(1)</script>';
      expect(await read({ filename }, text)).toEqual({ kind: 'text', text });
    },
  );

  it('that begins like a PDF in a tab of its own, and JSON folded', async () => {
    expect(await read({ filename: 'plot.pdf' }, '%PDF-1.7')).toMatchObject({
      kind: 'pdf',
      blob: expect.objectContaining({ type: 'application/pdf' }),
    });
    expect(await read({ filename: 'a.json' }, '[1]')).toMatchObject({ kind: 'json', value: [1] });
  });

  it('as a download if it is too large, not text, or only its end is known', async () => {
    expect(await read({ length: 20_000_001 }, 'x')).toMatchObject({ kind: 'other' });
    expect(await read({ filename: 'a.bin' }, new Uint8Array([0]))).toMatchObject({ kind: 'other' });
    expect(await read({ filename: 'a.png', starts_at: 5 }, 'x')).toMatchObject({ kind: 'other' });
    expect(await read({ filename: 'a.csv', starts_at: 5 }, '1,2')).toMatchObject({ kind: 'text' });
  });
});

describe('a table', () => {
  const cells = (text: string, separator = ',', most = 1000) => {
    const { head, rows, more } = readTable(text, separator, most);
    return [head, ...rows.map((row) => row.cells), ...(more ? ['more'] : [])];
  };

  it('has names in its first line, unless that has only numbers', () => {
    expect(cells('step,energy\n1,-0.5\n2,3e-5\n')).toEqual([
      ['step', 'energy'],
      ['1', '-0.5'],
      ['2', '3e-5'],
    ]);
    expect(cells('1,-0.5\n2,3e-5')).toEqual([
      ['1', '2'],
      ['1', '-0.5'],
      ['2', '3e-5'],
    ]);
  });

  it('may quote separators, line breaks and quotes', () => {
    expect(cells('\ufeffa,b\r\n"x, y","say ""hi""\nyou"\r\n\r\nlast,')).toEqual([
      ['a', 'b'],
      ['x, y', 'say "hi"\nyou'],
      ['last', ''],
    ]);
  });

  it('is read as far as it makes sense', () => {
    expect(cells('a,b\n"open,1\n5" pipe,"x"y\n1,2,3\nalone')).toEqual([
      ['a', 'b', ''],
      ['"open', '1'],
      ['5" pipe', '"x"y'],
      ['1', '2', '3'],
      ['alone'],
    ]);
    expect(cells('')).toEqual([[]]);
  });

  it('stops at the last row that was asked for', () => {
    const text = `n\n${Array.from({ length: 5 }, (_, index) => `${index}x`).join('\n')}`;
    expect(cells(text, ',', 5)).toHaveLength(6);
    expect(cells(text, ',', 4)).toEqual([['n'], ['0x'], ['1x'], ['2x'], ['3x'], 'more']);
  });

  it('has no more columns than one too many, even if every cell opens a quote', () => {
    expect(readTable('"a,'.repeat(2_000_000), ',', 1000).head).toHaveLength(51);
    expect(readTable('1,'.repeat(2_000_000), ',', 1000).head).toHaveLength(51);
    expect(readTable('"a\n'.repeat(2_000_000), ',', 1000)).toMatchObject({
      head: ['"a'],
      more: true,
    });
  });

  it('shows the beginning of a long cell', () => {
    expect(cells(`a\n${'x'.repeat(1_000_000)}`)[1]).toEqual([`${'x'.repeat(1000)}…`]);
  });

  it('is told by the beginning of its first line', () => {
    expect(findSeparator('csv', `a;b${'x'.repeat(10_000)},,,,`)).toBe(';');
  });
});

describe('all files of a job', () => {
  it.each([
    ['out/a.txt', 'out/a.txt'],
    ['/etc/passwd', 'etc/passwd'],
    ['../../a', 'a'],
    ['a\\..\\b', 'a/b'],
    ['..', 'file'],
  ])('%j is %j in the zip', (name, packed) => {
    expect(nameInZip(name)).toBe(packed);
  });

  it('are in a folder named after the job', () => {
    const id = 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA';
    expect(nameFolder({ title: 'Größe: 1/2', job_id: id })).toBe('Größe-1-2-AF17D39A');
    expect(nameFolder({ title: '', job_id: id })).toBe('AF17D39A');
    expect(nameFolder({ title: '../', job_id: id })).toBe('AF17D39A');
  });

  it('are not packed if they are too large for a browser', async () => {
    const service = createClient({
      baseUrl: 'http://localhost',
      fetch: async () => Response.json([{ fileid: 'a', filename: 'a', length: 1_000_000_001 }]),
    });
    await expect(gatherFiles(service, [job], () => undefined)).rejects.toThrow(
      'use the command slipway download',
    );
  });
});

describe('discarding a job', () => {
  it('cancels an active job, and deletes an ended or cancelled one', () => {
    const act = (stage: string, ended = true) => discardActFor({ stage, terminal_stage: ended });
    expect(act('RUNNING', false)).toBe('cancel');
    expect(act('FAILED')).toBe('delete');
    expect(act('CANCELED')).toBe('delete');
    expect(act('DELETED')).toBeUndefined();
  });

  it('says what happened', () => {
    expect(describeResult('delete', { stage: 'DELETED' })).toBe('Job deleted.');
    expect(describeResult('delete', { stage: 'CANCELED' })).toMatch(/cannot be deleted yet/);
    expect(describeResult('cancel', { stage: 'CANCELED' })).toBe('Job cancelled.');
    expect(describeResult('cancel', { stage: 'FAILED' })).toMatch(/ended before/);
  });
});

describe('the first file that is shown', () => {
  const file = (filename: string, length = 1): JobFile => ({ fileid: filename, filename, length });

  it('is the output, or of a failed job what it said about its failure', () => {
    const files = [file('a.csv'), file('stderr'), file('stdout')];
    expect(chooseFirst(files, { failed: false })?.filename).toBe('stdout');
    expect(chooseFirst(files, { failed: true })?.filename).toBe('stderr');
    expect(chooseFirst([file('stderr', 0), file('stdout')], { failed: true })?.filename).toBe(
      'stdout',
    );
    expect(chooseFirst([file('a.csv')], { failed: true })?.filename).toBe('a.csv');
    expect(chooseFirst([], { failed: true })).toBeUndefined();
  });

  const own = new Set(['main.py', 'data/in.csv']);

  it('is never what the job began with, as long as there may be output', () => {
    const waiting = { failed: false, terminal_stage: false };
    expect(chooseFirst([file('main.py'), file('data/in.csv')], waiting, own)).toBeUndefined();
    expect(chooseFirst([file('main.py'), file('stdout')], waiting, own)?.filename).toBe('stdout');
  });

  it('is a result if the job said nothing', () => {
    const files = [file('data/in.csv'), file('notes.txt'), file('plot.png'), file('stdout', 0)];
    const ended = { failed: false, terminal_stage: true };
    expect(chooseFirst(files, ended, own)?.filename).toBe('plot.png');
    expect(chooseFirst(files.slice(0, 2), ended, own)?.filename).toBe('notes.txt');
  });

  it('stands apart from others: output, results and input', () => {
    const files = [file('main.py'), file('plot.png'), file('stdout'), file('run.err')];
    const { output, results, input } = groupFiles(files, own);
    expect([output, results, input].map((each) => each.map(({ filename }) => filename))).toEqual([
      ['stdout', 'run.err'],
      ['plot.png'],
      ['main.py'],
    ]);
  });
});

describe('colours of a terminal', () => {
  it('are taken out of the text, and say which parts they coloured', () => {
    const { plain, coloured } = readAnsi('a \x1b[1;31mred\x1b[0m b \x1b[92mgreen\x1b[39m c');
    expect(plain).toBe('a red b green c');
    expect(coloured).toEqual([
      { colour: 'red', at: 2, length: 3 },
      { colour: 'green', at: 8, length: 5 },
    ]);
  });

  it.each([
    ['a title', 'x\x1b]0;title\x07y'],
    ['a link', 'x\x1b]8;;https://example.com\x1b\\y'],
    ['the cursor', 'x\x1b[2J\x1b[1;1Hy'],
    ['a larger palette', 'x\x1b[38;5;196m\x1b[48;2;1;2;31my'],
    ['a reset of the terminal', 'x\x1bcy'],
  ])('leave nothing of %s', (_, text) => {
    expect(readAnsi(text)).toEqual({ plain: 'xy', coloured: [] });
  });

  it('end after ten thousand sequences, and the text goes on without them', () => {
    const { plain, coloured } = readAnsi('\x1b[31mx\x1b[0m'.repeat(6000));
    expect(plain).toBe('x'.repeat(6000));
    expect(coloured).toHaveLength(5000);
    expect(readAnsi('\x1b[31m'.repeat(10_000).concat('end')).coloured).toEqual([]);
  });

  it('have a hundred codes at most', () => {
    expect(readAnsi(`\x1b[${'1;'.repeat(49)}31mx`).coloured).toHaveLength(1);
    expect(readAnsi(`\x1b[${'1;'.repeat(5_000_000)}31mx`)).toEqual({ plain: 'x', coloured: [] });
  });

  it('leave a text without them as it is, and end with it', () => {
    expect(readAnsi('<b>x</b>')).toEqual({ plain: '<b>x</b>', coloured: [] });
    expect(readAnsi('\x1b[31mopen').coloured).toEqual([{ colour: 'red', at: 0, length: 4 }]);
  });
});

describe('numbers of lines', () => {
  it.each([
    ['a\nb\n', 0, '1\n2'],
    ['a\nb', 0, '1\n2'],
    ['b', 41, '42'],
  ])('of %j after %d lines', (text, before, numbers) => {
    expect(numberLines(text, before)).toBe(numbers);
  });
});

describe('previews', () => {
  it('fold objects and lists only', () => {
    expect(parseJson('{"a":[1,2]}')).toEqual({ a: [1, 2] });
    for (const other of ['7', 'null', '{"a"', '']) expect(parseJson(other)).toBeUndefined();
    expect(readMembers([1], 9)).toEqual({ members: [['0', 1]], count: 1 });
    expect(readMembers({ a: 1, b: 2 }, 9)).toEqual({
      members: [
        ['a', 1],
        ['b', 2],
      ],
      count: 2,
    });
    expect(readMembers('text', 9)).toEqual({ members: [], count: 0 });
  });

  it('read no more members than they show', () => {
    const fail = () => {
      throw new Error('Somebody reads on.');
    };
    const list = Object.defineProperty([1, 2, 3], 2, { get: fail });
    expect(readMembers(list, 2)).toMatchObject({
      members: [
        ['0', 1],
        ['1', 2],
      ],
      count: 3,
    });
    const fields = Object.defineProperty({ a: 1, b: 2 }, 'b', { get: fail });
    expect(readMembers(fields, 1)).toEqual({ members: [['a', 1]], count: 2 });
  });

  it('draw the numbers of a column', () => {
    const { rows } = readTable('step;energy\n1;2,5\n2;\n3;-1e3\n', ';', 10);
    expect(readNumbers(rows, 1)).toEqual([2.5, -1000]);
  });
});
