import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openProject } from '#lib/projects/open-project.ts';
import type { Table } from '#lib/table/table.ts';
import { readExport } from '#tools/catalog/read-export.ts';
import { readTable } from '#tools/catalog/read-table.ts';
import { readRecords } from '#tools/transfer/read-records.ts';
import { onEveryEngine, tableForEach } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';
import { projectName, systemName, userId } from '../fixtures/names.ts';

const directory = mkdtempSync(join(tmpdir(), 'slipway-'));
afterAll(() => rmSync(directory, { recursive: true }));

async function exportTo(file: string, table: Table): Promise<string> {
  const lines: string[] = [];
  for await (const run of readRecords(table)) lines.push(...run.lines);
  const path = join(directory, file);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

onEveryEngine('what $name names', (engine) => {
  const table = tableForEach(engine);

  it('of the catalog is found by keys, and in an export', async () => {
    const one = createWorld(table, systemName('hpc_one'));
    const two = createWorld(table, systemName('hpc_two'));
    const running = await one.submit(userId('1'));
    await one.sweep();
    one.pass(2);
    await one.sweep();
    const ended = await two.submit(userId('2'));
    await two.runToEnd(ended);
    const late = await two.submit(userId('3'));
    const order = { system: two.system, name: projectName('spring'), by: '7', reason: 'a course' };
    await openProject(table, order);
    const quotas = (jobs: readonly number[]) => [
      { hpc: 'hpc_one', name: 'proj_hpc_one_01', number: 1, quotas: 3, jobs: jobs[0] },
      { hpc: 'hpc_two', name: 'proj_hpc_two_01', number: 2, quotas: 3, jobs: jobs[1] },
      { hpc: 'hpc_two', name: 'spring', number: 1_000_000, quotas: 0, jobs: 0 },
    ];
    const living = [
      { hpc: 'hpc_one', stage: 'RUNNING', jobs: 1, idForm: 'uuid', example: running.jobId },
      { hpc: 'hpc_two', stage: 'QUEUE', jobs: 1, idForm: 'NGBW-JOB', example: late.jobId },
    ];
    const progress: number[][] = [];
    const byKeys = await readTable(table, (...counts) => progress.push(counts));
    expect(byKeys.projects).toEqual(expect.arrayContaining(quotas([0, 0])));
    expect(byKeys.living).toEqual(living);
    expect(progress.at(-1)).toEqual([3, 2]);
    const file = await exportTo('export.jsonl', table);
    appendFileSync(file, '{"record":"batch","project_hpc":"HPC_ONE"}\n');
    const byExport = await readExport(file, () => undefined);
    expect(byExport.projects).toEqual(expect.arrayContaining(quotas([1, 2])));
    expect(byExport.living).toEqual(expect.arrayContaining(living));
  });

  it('is told where a line is none of an export', async () => {
    const file = join(directory, 'other.jsonl');
    writeFileSync(file, '{"record":"job"}\n');
    await expect(readExport(file, () => undefined)).rejects.toThrow(
      `${file}: line 1 is not a job, batch, quota or project of an export.`,
    );
  });
});
