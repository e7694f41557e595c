import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findJob } from '#lib/jobs/job-store.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { createTable } from '#local/create-table.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { setCredentials } from '../engines/credentials.ts';
import { engines } from '../engines/engines.ts';

const root = join(import.meta.dirname, '../..');

const job = {
  record: 'job',
  id: 80,
  job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  owner: userId('306328'),
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  title: 'a job title',
  runtime: 2,
  stage: 'SUCCESSFUL',
  terminal_stage: true,
  failed: false,
  init_date: '2019-02-10T22:40:01.000Z',
  end_date: '2019-02-10T23:21:51.000Z',
};
const quota = {
  record: 'quota',
  id: 7,
  user: userId('306328'),
  project: 2,
  project_hpc: 'HPC_TWO',
  project_name: 'proj_hpc_two_01',
  time_left: 17_994_600,
  space_left: 10_000_000,
  time_used: 5400,
  space_used: 0,
};

describe.each(engines.filter(({ available }) => available))('npm run import on $name', (engine) => {
  let database: Awaited<ReturnType<typeof engine.start>>;
  let table: Table;
  let directory: string;
  let tables = 0;
  beforeAll(async () => {
    database = await engine.start();
    directory = mkdtempSync(join(tmpdir(), 'slipway-'));
    setCredentials();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = database.endpoint;
  });
  beforeEach(async () => {
    tables += 1;
    await createTable(`transfer-${tables}`);
    table = openTable(`transfer-${tables}`);
  });
  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  function writeLines(...lines: unknown[]): string {
    const file = join(directory, 'in.jsonl');
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(file, `${text.join('\n')}\n`);
    return file;
  }

  /** In a process of its own, as a person runs it; never a sync one, which would stop the embedded table. */
  async function run(tool: string, ...parameters: string[]) {
    const command = [join(root, 'tools', `${tool}.ts`), '--table', table.name, ...parameters];
    return promisify(execFile)(process.execPath, command).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  it('brings a job and a quota in, welcomes the user, and lifts the counters', async () => {
    const answer = await run('import', writeLines(job, quota));
    expect(answer).toEqual({
      code: 0,
      stdout: '2 created, 0 present, 0 different, 0 wrong\n',
      stderr: '',
    });
    const place = {
      user: userId('306328'),
      hpc: systemName('hpc_one'),
      project: projectName('proj_hpc_one_01'),
    };
    expect(await findJob(table, place, jobId(job.job_id))).toMatchObject({
      id: 80,
      stage: 'SUCCESSFUL',
    });
    const quotas = await readQuotas(table, userId('306328'));
    expect(quotas.map(({ project, time }) => ({ project: project.number, time }))).toEqual([
      { project: 1, time: { granted: 18_000_000, left: 18_000_000, held: 0, used: 0 } },
      { project: 2, time: { granted: 18_000_000, left: 17_994_600, held: 0, used: 5400 } },
    ]);
    expect(await takeNumbers(table, 'job')).toBe(81);
    expect(await takeNumbers(table, 'quota')).toBe(9);
  });

  it('changes nothing the second time, and comes out as it went in', async () => {
    const file = writeLines(job, quota);
    await run('import', file);
    const again = await run('import', file);
    expect(again).toMatchObject({
      code: 0,
      stdout: '0 created, 2 present, 0 different, 0 wrong\n',
    });

    const out = join(directory, 'out.jsonl');
    const exported = await run('export', '--out', out);
    expect(exported).toEqual({ code: 0, stdout: '', stderr: '3 records\n' });
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([job, { ...quota, time_held: 0, space_held: 0 }]),
    );
    expect(await run('import', out)).toMatchObject({
      code: 0,
      stdout: '0 created, 3 present, 0 different, 0 wrong\n',
    });
  });

  it('writes nothing in a dry run', async () => {
    const answer = await run('import', writeLines(job, quota), '--dry-run');
    expect(answer).toMatchObject({
      code: 0,
      stdout: '2 to create, 0 present, 0 different, 0 wrong\n',
    });
    expect(await readQuotas(table, userId('306328'))).toEqual([]);
    expect(await takeNumbers(table, 'job')).toBe(1);
  });

  it('names every line that is wrong or differs, brings in the rest, and exits with 1', async () => {
    await run('import', writeLines(job));
    const answer = await run(
      'import',
      writeLines(
        'no JSON',
        { ...job, title: 'another title' },
        { ...job, job_id: 'LIVING', terminal_stage: false, end_date: null },
        { ...quota, project_name: 'proj_hpc_one_01' },
        quota,
      ),
    );
    expect(answer.code).toBe(1);
    expect(answer.stdout).toBe('1 created, 0 present, 1 different, 3 wrong\n');
    expect(answer.stderr.match(/^line \d: /gm)).toEqual([
      'line 1: ',
      'line 3: ',
      'line 4: ',
      'line 2: ',
    ]);
    expect(answer.stderr).toContain('only jobs that have ended can be brought in');
  });

  it('brings 300 jobs in, each of them once', async () => {
    const many = Array.from({ length: 300 }, (_, n) => ({
      ...job,
      id: n + 1,
      job_id: `JOB-${n}`,
    }));
    expect(await run('import', writeLines(...many))).toMatchObject({
      stdout: '300 created, 0 present, 0 different, 0 wrong\n',
    });
    expect(await run('import', writeLines(...many, job))).toMatchObject({
      stdout: '1 created, 300 present, 0 different, 0 wrong\n',
    });
  });
});

describe('npm run import and export', () => {
  it.each(['import', 'export'])('explain themselves: %s --help', (tool) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'tools', `${tool}.ts`), '--help'],
      { encoding: 'utf8' },
    );
    expect(status).toBe(0);
    expect(stdout).toContain('--table');
  });

  it('say in one line that a file is not there', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'tools/import.ts'), 'nowhere.jsonl', '--table', 'none'],
      { encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^[^\n]*nowhere\.jsonl[^\n]*\n$/);
  });
});
