import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchSubmission, checkTable, compileTexts } from '#lib/batches/batch-submission.ts';
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
});
