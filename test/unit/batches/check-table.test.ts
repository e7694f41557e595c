import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BatchSubmission,
  checkTable,
  compileTexts,
  fingerprintBatch,
  judgeLast,
  previewTexts,
} from '#lib/batches/batch-submission.ts';
import { BadTableError } from '#lib/batches/errors.ts';
import { parseRows } from '#lib/batches/stored-rows.ts';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { userId } from '#test/fixtures/names.ts';

const system = findSystem(catalog, 'hpc_one');
const batch: BatchSubmission = {
  owner: userId('306328'),
  system,
  project: defaultProject(system),
  joins: false,
  program: 'run {a}',
  title: '{b}',
  nodes: 1,
  coresPerNode: 1,
  requestedRuntime: 1,
  extras: {},
  input: { fileName: 'a.zip', source: { kind: 'none' } },
  shape: { table: 'params.csv' },
  maxRunning: undefined,
};

const short = { ...batch, system: { ...system, program: { ...system.program, maxLength: 8 } } };

function problemsOf(submission: BatchSubmission, text: string): readonly string[] {
  try {
    checkTable(submission, { name: 'params.csv', text });
    return [];
  } catch (error) {
    if (!(error instanceof BadTableError)) throw error;
    return error.problems.map(({ line, message }) => `${line}: ${message}`);
  }
}

/** Judges texts by writing them. */
function judgeWritten({ program, title, system }: BatchSubmission, text: string): string[] {
  const { columns, rows } = parseRows(text);
  const fill = compileTexts({ program, title, extras: {} }, columns);
  return rows.flatMap((cells, index) => {
    const filled = fill({ index, columns, cells });
    const lengths = { command: [...filled.program].length, title: [...filled.title].length };
    const limits = { command: system.program.maxLength, title: 200 };
    return [
      ...(['command', 'title'] as const)
        .filter((name) => lengths[name] > limits[name])
        .map(
          (name) =>
            `${index + 2}: ${name} has ${lengths[name]} characters, but at most ${limits[name]} are allowed.`,
        ),
      ...(filled.program.trim() === '' ? [`${index + 2}: command must not be empty.`] : []),
    ];
  });
}

describe('the texts of a batch', () => {
  it('are judged by their lengths as if they were written', () => {
    const program = fc.string({
      unit: fc.constantFrom(' ', 'x', '😀', '{a}', '{b}', '{index}'),
      maxLength: 6,
    });
    const cell = fc.string({ unit: fc.constantFrom(' ', 'x', 'ä', '😀'), maxLength: 6 });
    const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(program, rows, (program, cells) => {
        const text = `a,b\n${cells.map(([a, b]) => `${a},${b}.`).join('\n')}`;
        const submission = { ...short, program };
        expect(problemsOf(submission, text)).toEqual(judgeWritten(submission, text));
      }),
      { numRuns: 500 },
    );
  });

  it('are never written to be judged, because nothing could hold them', () => {
    const program = `run ${'{a}'.repeat(1300)}`;
    const text = `a\n${`${'x'.repeat(89_000)}\n`.repeat(100)}`;
    expect(problemsOf({ ...batch, program }, text)[0]).toBe(
      '2: command has 115700004 characters, but at most 4096 are allowed.',
    );
  });

  it('have no control characters, in any of their cells', () => {
    const wrong =
      'It must not contain control characters, marks that change the writing direction, or broken Unicode.';
    expect(problemsOf(batch, 'a,b\n1,2\n1,\u0007\n\u202e,2')).toEqual([
      `3: b: ${wrong}`,
      `4: a: ${wrong}`,
    ]);
  });
});

describe('the texts of one job', () => {
  const sha256 = '{a}'.padEnd(66, '0');
  const texts = {
    program: 'run {a}',
    title: '{index}: {b}',
    extras: { init_file: '{a}.hoc', option: '-{b}' },
  };
  const values = { index: 7, columns: ['a', 'b'], cells: ['x', 'y'] };

  it('are those of the batch with its values, and no others', () => {
    const filled = {
      program: 'run x',
      title: '7: y',
      extras: { init_file: 'x.hoc', option: '-y' },
    };
    expect(compileTexts(texts, values.columns)(values)).toEqual(filled);
    expect(compileTexts(texts, values.columns)(values)).not.toHaveProperty('fetches');
    expect(compileTexts(texts, values.columns)(values)).not.toHaveProperty('sends');
  });

  it('have the files that it fetches and sends, with their checksums', () => {
    const moving = {
      ...texts,
      fetches: [
        { from: 'https://a.org/{a}', to: '{b}', sha256 },
        { from: 'https://a.org/{index}', to: 'c' },
      ],
      sends: [{ files: '{a}/*.nc', to: 's3://lab/{b}/{index}/' }],
    };
    const { fetches, sends } = compileTexts(moving, values.columns)(values);
    expect(fetches).toStrictEqual([
      { from: 'https://a.org/x', to: 'y', sha256: `x${'0'.repeat(63)}` },
      { from: 'https://a.org/7', to: 'c' },
    ]);
    expect(sends).toEqual([{ files: 'x/*.nc', to: 's3://lab/y/7/' }]);
  });
});

describe('the limits of a batch', () => {
  const limited = { ...system, extraFields: [{ name: 'init_file', maxLength: 5 }] };
  const withExtras = (extras: Record<string, string>) => ({ ...batch, system: limited, extras });

  it('are those of each extra field of its system', () => {
    expect(problemsOf(withExtras({ init_file: '{a}.h' }), 'a,b\nxyz,1\nwxyz,1\n')).toEqual([
      '3: init_file has 6 characters, but at most 5 are allowed.',
    ]);
    // Its system has no such field.
    expect(problemsOf(withExtras({ option: 'x' }), 'a,b\n1,2\n')).toEqual([
      '2: option has 1 characters, but at most 0 are allowed.',
    ]);
  });

  it('are kept by rows that are exactly as long as allowed', () => {
    const text = (length: number) => `a,b\n1,${'t'.repeat(length)}\n`;
    expect(problemsOf(batch, text(200))).toEqual([]);
    expect(problemsOf(batch, text(201))).toEqual([
      '2: title has 201 characters, but at most 200 are allowed.',
    ]);
  });

  it('are each named if a row breaks all of them', () => {
    expect(
      problemsOf({ ...short, program: 'x{a}' }, `a,b\n${'x'.repeat(8)},${'y'.repeat(201)}\n`),
    ).toEqual([
      '2: command has 9 characters, but at most 8 are allowed.',
      '2: title has 201 characters, but at most 200 are allowed.',
    ]);
  });

  it('are those of the longest job if only the index differs', () => {
    const byNumber = { ...batch, program: `${'x'.repeat(6)}{index}`, title: '' };
    const of = (count: number) =>
      judgeLast({ ...byNumber, system: short.system, shape: { count } }, count);
    expect(of(100)).toEqual([]);
    expect(of(101)).toEqual(['command has 9 characters, but at most 8 are allowed.']);
  });

  it('allow no blank command, whatever the other rows have', () => {
    expect(problemsOf({ ...batch, program: '{a}' }, 'a,b\nx,1\n ,2\ny,3\n')).toEqual([
      '3: command must not be empty.',
    ]);
  });
});

describe('the preview of a batch', () => {
  it('has its first five jobs, or all of fewer', () => {
    const rows = { columns: ['a', 'b'], rows: [['x', 'y']] };
    expect(previewTexts({ ...batch, title: '{index}{b}' }, rows, 1)).toMatchObject([
      { index: 0, program: 'run x', title: '0y' },
    ]);
    const byNumber = { ...batch, program: 'run {index}', title: '' };
    const many = previewTexts(byNumber, { columns: [], rows: [] }, 7);
    expect(many.map(({ program }) => program)).toEqual([0, 1, 2, 3, 4].map((at) => `run ${at}`));
  });
});

describe('what a batch means', () => {
  it('differs with its shape and with how many of its jobs may run', () => {
    const others = [
      batch,
      { ...batch, shape: { table: 'other.csv' } },
      { ...batch, shape: { count: 3 } },
      { ...batch, maxRunning: 2 },
      { ...batch, program: 'run' },
    ];
    const prints = others.map(fingerprintBatch);
    expect(new Set(prints).size).toBe(others.length);
    expect(fingerprintBatch({ ...batch })).toBe(prints[0]);
  });
});

describe('the addresses of a batch', () => {
  const fetching = {
    ...batch,
    system: { ...system, inputs: { hosts: ['data.example.org'] } },
    fetches: [{ from: 'https://data.example.org/{a}.nc', to: '{b}/{index}.nc' }],
  };

  it('are filled in for each job', () => {
    const values = { index: 7, columns: ['a', 'b'], cells: ['x', 'y'] };
    expect(compileTexts(fetching, ['a', 'b'])(values).fetches).toEqual([
      { from: 'https://data.example.org/x.nc', to: 'y/7.nc' },
    ]);
  });

  it('are judged row by row', () => {
    expect(problemsOf(fetching, 'a,b\nx,y\nx,..\n')).toEqual([
      '3: inputs.0.to: It must be a path within the folder of the job, such as data/a.nc.',
    ]);
    const elsewhere = { ...fetching, fetches: [{ from: 'https://{a}/x', to: 'x' }] };
    expect(problemsOf(elsewhere, 'a,b\ndata.example.org,y\nevil.org,y\n')).toEqual([
      '3: inputs.0.from: This system fetches nothing from https://evil.org. Allowed: data.example.org, by https.',
    ]);
  });

  it('of what it sends are judged row by row, too', () => {
    const sending = {
      ...batch,
      system: { ...system, outputs: { hosts: ['data.example.org'] } },
      sends: [{ files: 'out.nc', to: 'https://{a}/{index}' }],
    };
    expect(problemsOf(sending, 'a,b\ndata.example.org,y\nevil.org,y\n')).toEqual([
      expect.stringMatching(/^3: outputs\.0\.to: .*evil\.org/),
    ]);
  });
});
