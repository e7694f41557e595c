import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeAccount } from '#lib/accounts/judge-account.ts';
import { isLeader } from '#lib/budgets/led-projects.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { budgetOf } from '#lib/quotas/quota.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { updateItem } from '#lib/table/writes.ts';
import { assignUser } from '#lib/users/user-numbers.ts';
import { createTable } from '#local/create-table.ts';
import { noteWhereabouts } from '#local/whereabouts.ts';
import { catalogFile } from '#test/fixtures/catalog.ts';
import { compileCache } from '#test/fixtures/edition.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import { importFile } from '#tools/transfer/import-file.ts';
import { readRecords } from '#tools/transfer/read-records.ts';
import { setCredentials } from '../engines/credentials.ts';
import { embedded } from '../engines/engines.ts';
import { onEveryEngine, tableForEach } from '../engines/use-table.ts';

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

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function writeLines(...lines: unknown[]): string {
  const file = join(directory, 'in.jsonl');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(file, `${text.join('\n')}\n`);
  return file;
}

const none = { created: 0, present: 0, different: 0, wrong: 0 };

/** What the tools do, without a process for each of their runs. */
onEveryEngine('a transfer on $name', (engine) => {
  const table = tableForEach(engine);

  /** How many lines came to what, and the lines that were left out. */
  async function bringIn(file: string, dryRun = false) {
    const problems: [number, string][] = [];
    const counts = await importFile(
      file,
      { table, catalog, dryRun },
      {
        onProblem: (line, message) => problems.push([line, message]),
        onProgress: () => undefined,
      },
    );
    return { counts, problems };
  }

  it('brings a job and a quota in, welcomes the user, and lifts the counters', async () => {
    const answer = await bringIn(writeLines(job, quota));
    expect(answer).toEqual({ counts: { ...none, created: 2 }, problems: [] });
    const account = {
      user: userId('306328'),
      hpc: systemName('hpc_one'),
      project: projectName('proj_hpc_one_01'),
    };
    expect(await findJob(table, account, jobId(job.job_id))).toMatchObject({
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
    expect(await takeNumbers(table, 'user')).toBe(1);
  });

  it('gives nobody the number of a user who was given it elsewhere', async () => {
    const user = userId('9000000000000041');
    await bringIn(writeLines({ ...quota, user }));
    expect(await assignUser(table, { issuer: 'https://sso.example.org', subject: 'eve' })).toBe(
      '9000000000000042',
    );
  });

  it('changes nothing the second time, and comes out as it went in', async () => {
    const file = writeLines(job, quota);
    await bringIn(file);
    expect(await bringIn(file)).toEqual({ counts: { ...none, present: 2 }, problems: [] });

    const exported: string[] = [];
    for await (const { lines } of readRecords(table)) exported.push(...lines);
    expect(exported).toHaveLength(3);
    expect(exported.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([job, { ...quota, time_held: 0, space_held: 0 }]),
    );
    expect(await bringIn(writeLines(...exported))).toEqual({
      counts: { ...none, present: 3 },
      problems: [],
    });
  });

  it('takes a quota for the same while a job holds a part of it', async () => {
    await bringIn(writeLines(quota));
    const SK = `QUOTA#${quota.project_hpc.toLowerCase()}#${quota.project_name}`;
    await updateItem(table, {
      Key: { PK: `USER#${quota.user}`, SK },
      UpdateExpression: 'ADD space_held :held, space_left :taken',
      ExpressionAttributeValues: { ':held': 4, ':taken': -4 },
    });
    const exported: string[] = [];
    for await (const { lines } of readRecords(table)) exported.push(...lines);
    expect(exported.join('\n')).toContain('"space_held":4');
    const again = await bringIn(writeLines(...exported));
    expect(again).toEqual({ counts: { ...none, present: exported.length }, problems: [] });
  });

  it('keeps when a quota ends and how it renews', async () => {
    const renews = {
      every: 'yearly',
      on: 1,
      month: 4,
      to: { time: 3600, space: 10 },
      carry_over: { time: 60, space: 0 },
    };
    const renewing = {
      ...quota,
      time_held: 0,
      space_held: 0,
      valid_until: '2099-12-31T00:00:00.000Z',
      renews,
      renews_next: '2099-04-01T00:00:00.000Z',
    };
    const { renews_next: _, ...unscheduled } = renewing;
    await bringIn(writeLines(renewing));
    const exported: unknown[] = [];
    for await (const { lines } of readRecords(table)) {
      exported.push(...lines.map((line) => JSON.parse(line)));
    }
    expect(exported).toContainEqual(renewing);
    for (const line of [renewing, unscheduled]) {
      const counts = { ...none, present: 1 };
      expect(await bringIn(writeLines(line))).toEqual({ counts, problems: [] });
    }
    const other = { ...renewing, renews: { ...renews, on: 2 } };
    const { problems } = await bringIn(writeLines(other));
    expect(problems[0]?.[1]).toMatch(/^it differs from what is there in renews \(\{.*"on":2/);
  });

  it('brings the budget of a shared project in, with its leaders and members', async () => {
    const project = {
      record: 'project',
      id: 1_000_000,
      project_hpc: 'HPC_TWO',
      project_name: 'lab',
      description: '',
      max_living_jobs: 20,
      closed: false,
      shared: true,
      members: { group: 'lab-42' },
    };
    const inProject = { project: 1_000_000, project_hpc: 'HPC_TWO', project_name: 'lab' };
    const { user: _, ...amounts } = { ...quota, ...inProject, share_time: 600, share_space: 1 };
    const budget = { ...amounts, record: 'budget', id: 9, leaders: ['501', '502'] };
    const member = { ...quota, ...inProject, share_time: 600, share_space: 1, through_group: true };
    const file = writeLines(project, budget, member);
    expect(await bringIn(file)).toEqual({ counts: { ...none, created: 3 }, problems: [] });
    expect(await bringIn(file)).toEqual({ counts: { ...none, present: 3 }, problems: [] });
    const place = { hpc: systemName('hpc_two'), project: projectName('lab') };
    expect(await isLeader(table, { user: userId('502'), ...place })).toBe(true);
    const accounts = [budgetOf(place), { user: member.user, ...place }];
    for (const each of accounts) {
      expect(await judgeAccount(table, each)).toEqual({ state: 'sound' });
    }
    const records: object[] = [];
    for await (const { lines } of readRecords(table)) {
      records.push(...lines.map((line) => JSON.parse(line)));
    }
    const held = { time_held: 0, space_held: 0 };
    expect(records).toEqual(
      expect.arrayContaining([project, { ...budget, ...held }, { ...member, ...held }]),
    );
    const other = await bringIn(writeLines({ ...budget, leaders: ['501'] }));
    expect(other.counts).toEqual({ ...none, different: 1 });
  });

  it('brings a project in with its number, before what names it', async () => {
    const project = {
      record: 'project',
      id: 1_000_006,
      project_hpc: 'HPC_TWO',
      project_name: 'spring_2027',
      description: 'A course',
      max_living_jobs: 20,
      closed: true,
    };
    const inProject = { project: 1_000_006, project_hpc: 'HPC_TWO', project_name: 'spring_2027' };
    const file = writeLines(
      { ...quota, ...inProject, id: 8 },
      project,
      { ...project, project_name: 'another' },
      { ...project, id: 999_999, project_name: 'low' },
      { ...project, id: 1_000_009, project_name: 'proj_hpc_two_01' },
      { ...job, ...inProject },
      { ...quota, ...inProject },
    );
    expect(await bringIn(file)).toEqual({
      counts: { ...none, created: 3, wrong: 4 },
      problems: [
        [1, expect.stringContaining("Unknown project 'spring_2027'")],
        [3, 'id 1000006 is that of the project hpc_two/spring_2027; give it another one'],
        [4, "id: must be at least 1000000: lower ones are the catalog's"],
        [5, "project_name: 'proj_hpc_two_01' is in the catalog, and not opened at run time"],
      ],
    });
    const exported: string[] = [];
    for await (const { lines } of readRecords(table)) exported.push(...lines);
    expect(JSON.parse(exported[0] ?? '')).toEqual(project);
    const records = exported.map((line) => JSON.parse(line));
    expect(records).toEqual(expect.arrayContaining([{ ...job, ...inProject }]));
    expect((await bringIn(writeLines(...exported))).counts).toMatchObject({ created: 0, wrong: 0 });
    const { problems } = await bringIn(writeLines({ ...project, id: 1_000_002, closed: false }));
    expect(problems).toEqual([
      [
        1,
        'it differs from what is there in id (1000002, there: 1000006), closed (false, there: true)',
      ],
    ]);
    expect(await takeNumbers(table, 'project')).toBe(11);
  });

  describe('of more lines than are worked on at once', () => {
    const user = userId('5099');
    const others = Array.from({ length: 15 }, (_, n) => ({
      ...quota,
      id: n + 1,
      user: userId(String(5000 + n)),
      project_hpc: 'HPC_ONE',
      project_name: 'proj_hpc_one_01',
    }));
    const first = { ...others[0], id: 16, user, time_left: 111 };
    const second = { ...quota, id: 17, user, time_left: 222 };

    it.each([true, false])(
      'keeps the balances of both quotas of a user (dry run first: %s)',
      async (dryRun) => {
        const file = writeLines(...others, first, second);
        const all = { counts: { ...none, created: 17 }, problems: [] };
        if (dryRun) expect(await bringIn(file, true)).toEqual(all);
        expect(await bringIn(file)).toEqual(all);
        expect((await readQuotas(table, user)).map(({ time }) => time.left)).toEqual([111, 222]);
        expect(await bringIn(file)).toEqual({ counts: { ...none, present: 17 }, problems: [] });
      },
    );

    it('keeps the place of a refused line free until its user calls', async () => {
      await bringIn(writeLines(first));
      const mistaken = { ...second, user: userId('5000'), id: 16 };
      const { problems } = await bringIn(writeLines(...others, mistaken));
      expect(problems).toEqual([
        [
          16,
          'id 16 is that of the quota of user 5099 in hpc_one/proj_hpc_one_01; give it another one',
        ],
      ]);
      const counts = { ...none, created: 1 };
      expect(await bringIn(writeLines({ ...mistaken, id: 100 }))).toEqual({ counts, problems: [] });

      const broken = { ...mistaken, user: userId('5001'), id: 101, time_left: 'many' };
      await bringIn(writeLines(others[1], broken));
      expect(await readQuotas(table, userId('5001'))).toHaveLength(2);
      await bringIn(
        writeLines(
          { ...others[1], user: userId('5050'), id: 102 },
          { ...broken, user: userId('5050') },
        ),
      );
      expect(await readQuotas(table, userId('5050'))).toHaveLength(1);
    });

    it('brings several quotas in for somebody who is known', async () => {
      const names = Array.from({ length: 6 }, (_, n) => `course_${n}`);
      const courses = names.map((project_name, n) => ({
        record: 'project',
        id: 1_000_000 + n,
        project_hpc: 'HPC_TWO',
        project_name,
        max_living_jobs: 20,
      }));
      const quotas = names.map((project_name, n) => ({ ...second, id: 20 + n, project_name }));
      await bringIn(writeLines(first, ...courses));
      const counts = { ...none, created: 6 };
      expect(await bringIn(writeLines(...quotas))).toEqual({ counts, problems: [] });
    });
  });

  it('refuses what is on an earlier line of the file too', async () => {
    const file = writeLines(job, quota, { ...job, id: 81 }, { ...quota, id: 8 });
    for (const dryRun of [true, false]) {
      expect(await bringIn(file, dryRun)).toEqual({
        counts: { ...none, created: 2, wrong: 2 },
        problems: [
          [3, 'this job is also on line 1'],
          [4, 'this quota is also on line 2'],
        ],
      });
    }
  });

  it('gives no number again that a refused line has', async () => {
    const living = { ...job, id: 90, job_id: 'LIVING', terminal_stage: false, end_date: null };
    const user = userId('9000000000000007');
    const lines = [living, { ...quota, id: 12, time_left: -1, user }, { record: 'job', id: 1.5 }];
    expect((await bringIn(writeLines(...lines), true)).counts.wrong).toBe(3);
    expect(await takeNumbers(table, 'job')).toBe(1);
    expect((await bringIn(writeLines(...lines))).counts).toEqual({ ...none, wrong: 3 });
    expect(await takeNumbers(table, 'job')).toBe(91);
    expect(await takeNumbers(table, 'quota')).toBe(13);
    expect(await takeNumbers(table, 'user')).toBe(8);
  });

  it('looks through the projects once, however many jobs have numbers that were given', async () => {
    const projects = Array.from({ length: 30 }, (_, n) => ({
      record: 'project',
      id: 1_000_000 + n,
      project_hpc: 'HPC_TWO',
      project_name: `course_${n}`,
      max_living_jobs: 20,
    }));
    const jobs = Array.from({ length: 50 }, (_, n) => ({ ...job, id: n + 1, job_id: `JOB-${n}` }));
    await bringIn(writeLines(...projects, { ...job, id: 50 }));
    let calls = 0;
    table.client.middlewareStack.add(
      (next) => async (parameters) => {
        calls += 1;
        return next(parameters);
      },
      { step: 'initialize' },
    );
    const { counts } = await bringIn(writeLines(...jobs));
    expect(counts).toEqual({ ...none, created: 49, wrong: 1 });
    // Each line is read and written, each project is asked, and the counters come on top.
    expect(calls).toBeLessThanOrEqual(2 * jobs.length + projects.length + 10);
  });

  it('writes nothing in a dry run', async () => {
    const { counts } = await bringIn(writeLines(job, quota), true);
    expect(counts).toEqual({ ...none, created: 2 });
    expect(await readQuotas(table, userId('306328'))).toEqual([]);
    expect(await takeNumbers(table, 'job')).toBe(1);
  });

  it('names every line that is wrong or differs, and brings in the rest', async () => {
    await bringIn(writeLines(job));
    const { counts, problems } = await bringIn(writeWrongLines());
    expect(counts).toEqual({ created: 1, present: 0, different: 1, wrong: 3 });
    expect(problems.map(([line]) => line)).toEqual([1, 3, 4, 2]);
    expect(problems[1]?.[1]).toContain('only jobs that have ended can be imported');
    expect(problems[3]?.[1]).toBe(
      'it differs from what is there in title (another title, there: a job title)',
    );
  });

  it.each([true, false])("refuses a number that is another one's (dry run: %s)", async (dryRun) => {
    const owner = userId('7');
    await bringIn(writeLines(job, quota));
    const file = writeLines(
      { ...job, owner },
      { ...job, id: 40, job_id: 'A-GAP' },
      { ...job, id: 40, job_id: 'THE-SAME-GAP' },
      { ...quota, user: owner },
      { ...quota, user: owner, id: 9 },
    );
    expect(await bringIn(file, dryRun)).toEqual({
      counts: { created: 2, present: 0, different: 0, wrong: 3 },
      problems: [
        [3, 'id 40 is also that of the job on line 2'],
        [1, `id 80 is that of the job ${job.job_id} of user 306328; give it another one`],
        [
          4,
          'id 7 is that of the quota of user 306328 in hpc_two/proj_hpc_two_01; give it another one',
        ],
      ],
    });
  });

  it('says of a job that is there in which fields it differs', async () => {
    await bringIn(writeLines(job));
    const { problems } = await bringIn(writeLines({ ...job, stage: 'FAILED', failed: true }));
    expect(problems).toEqual([
      [
        1,
        'it differs from what is there in stage (FAILED, there: SUCCESSFUL), failed (true, there: false)',
      ],
    ]);
  });

  // DynamoDB Local takes its time for each, and more of the same show nothing new there.
  const manyJobs = engine === embedded ? 300 : 50;

  it(`brings ${manyJobs} jobs in, each of them once`, async () => {
    const many = Array.from({ length: manyJobs }, (_, n) => ({
      ...job,
      id: n + 1,
      job_id: `JOB-${n}`,
    }));
    expect((await bringIn(writeLines(...many))).counts).toEqual({ ...none, created: manyJobs });
    const another = { ...job, id: manyJobs + 1 };
    expect((await bringIn(writeLines(...many, another))).counts).toEqual({
      ...none,
      created: 1,
      present: manyJobs,
    });
  });
});

function writeWrongLines(): string {
  return writeLines(
    'no JSON',
    { ...job, title: 'another title' },
    { ...job, job_id: 'LIVING', terminal_stage: false, end_date: null },
    { ...quota, project_name: 'proj_hpc_one_01' },
    quota,
  );
}

describe('npm run import and export', () => {
  let database: Awaited<ReturnType<typeof embedded.start>>;
  beforeAll(async () => {
    database = await embedded.start();
    setCredentials();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = database.endpoint;
    await createTable('slipway-tools');
    noteWhereabouts(join(directory, '.slipway'), {
      pid: process.pid,
      url: 'http://localhost:3000',
      data: 'memory',
      table: { name: 'slipway-tools', endpoint: database.endpoint },
    });
  });
  afterAll(() => database.close());

  /**
   * As a person runs it beside a laptop edition, with nothing set; never a sync one, which would
   * stop the embedded table.
   */
  async function run(tool: string, ...parameters: string[]) {
    const command = [join(root, 'tools/transfer', `${tool}.ts`), ...parameters];
    const nothingSet = {
      PATH: process.env.PATH,
      CATALOG: catalogFile,
      NODE_COMPILE_CACHE: compileCache,
    };
    return promisify(execFile)(process.execPath, command, { cwd: directory, env: nothingSet }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }
  const where = () =>
    `Working on laptop at http://localhost:3000 (its table: ${database.endpoint})\n`;

  it('say where they work, what would be brought in, what was, what came out, and what is wrong', async () => {
    const file = writeLines(job, quota);
    expect(await run('import', file, '--dry-run')).toEqual({
      code: 0,
      stdout: '2 to create, 0 present, 0 different, 0 wrong\n',
      stderr: where(),
    });
    expect(await run('import', file)).toEqual({
      code: 0,
      stdout: '2 created, 0 present, 0 different, 0 wrong\n',
      stderr: where(),
    });

    const out = join(directory, 'out.jsonl');
    expect(await run('export', '--out', out)).toEqual({
      code: 0,
      stdout: '',
      stderr: `${where()}3 records\n`,
    });
    const exported = readFileSync(out, 'utf8').trim().split('\n');
    expect(exported.map((line) => JSON.parse(line))).toEqual(expect.arrayContaining([job]));

    const answer = await run('import', writeWrongLines());
    expect(answer).toMatchObject({
      code: 1,
      stdout: '0 created, 1 present, 1 different, 3 wrong\n',
    });
    expect(answer.stderr.match(/^line \d: /gm)).toEqual([
      'line 1: ',
      'line 3: ',
      'line 4: ',
      'line 2: ',
    ]);
  });

  it('say in one line that a file is not there, behind where they work', async () => {
    const { code, stderr } = await run('import', 'nowhere.jsonl');
    expect(code).toBe(1);
    expect(stderr.replace(where(), '')).toMatch(/^[^\n]*nowhere\.jsonl[^\n]*\n$/);
  });

  it('ask for the region of a table on AWS, and explain themselves', async () => {
    const [named, help] = await Promise.all([run('export', '--table', 'X'), run('import', '-h')]);
    expect(named).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'No region for the table X. Set AWS_REGION, or leave --table out for the laptop edition.\n',
    });
    expect(help.stdout).toContain('--table');
  });
});
