import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeNoFiles } from '../../../client/src/jobs/read-file.ts';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

const running = {
  id: 1,
  job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  title: 'a title',
  runtime: 1,
  stage: 'RUNNING',
  terminal_stage: false,
  failed: false,
  init_date: '2026-01-01T00:00:00Z',
  end_date: null,
  user: '306328',
};
const ended = { ...running, stage: 'SUCCESSFUL', terminal_stage: true };

/** A file at one moment: all of it, or its end. */
interface Seen {
  readonly startsAt?: number;
  readonly text: string;
}

interface Reply {
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

function presentFiles(seen: Seen | undefined): unknown[] {
  if (!seen) return [];
  const { text, startsAt } = seen;
  const file = { fileid: 'stdout', filename: 'stdout', length: text.length };
  return [{ ...file, ...(startsAt !== undefined && { starts_at: startsAt }) }];
}

/** A service whose job shows these files, one look after the other, and then has ended. */
async function startServiceWith(looks: readonly (Seen | undefined)[], liveOutput = true) {
  const left = [...looks];
  const answer = (path: string): Reply => {
    const [seen] = left;
    const job = left.length === 1 ? ended : running;
    if (path.startsWith('/hpc')) {
      return { body: [{ name: 'hpc_one', project_hpc: 'HPC_ONE', live_output: liveOutput }] };
    }
    if (path.includes('/stdout/')) {
      return { body: seen?.text, headers: { 'file-starts-at': String(seen?.startsAt ?? 0) } };
    }
    if (path.startsWith('/batches')) return { body: [] };
    if (!path.startsWith('/files')) return { body: path.includes(running.job_id) ? job : [job] };
    return { body: presentFiles(seen) };
  };
  // The next look begins when the job is asked for again.
  let asked = 0;
  const turn = (path: string) => {
    if (!path.startsWith('/jobs') || !path.includes(running.job_id)) return;
    asked += 1;
    if (asked > 1 && left.length > 1) left.shift();
  };
  const url = await startServer(({ url: path = '' }, response) => {
    turn(path);
    const { body, headers = {} } = answer(path);
    const isText = typeof body === 'string';
    const type = isText ? 'application/octet-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type, ...headers });
    response.end(isText ? body : JSON.stringify(body));
  });
  return { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
}

describe('slipway logs -f', () => {
  const follow = async (looks: readonly (Seen | undefined)[], liveOutput?: boolean) => {
    const environment = await startServiceWith(looks, liveOutput);
    return openCommandHome().run(['logs', '-f', 'AF17'], { environment });
  };

  it('shows new output since the last check, and the rest when the job has ended', async () => {
    const { code, out } = await follow([{ text: 'one\n' }, { text: 'one\ntwo\n' }]);
    expect([code, out]).toEqual([0, 'one\ntwo\n']);
  });

  it('continues if only the end of the output is kept, and reports missing bytes', async () => {
    const { code, out, err } = await follow([
      { text: '0123' },
      { startsAt: 2, text: '234567' },
      { startsAt: 10, text: 'abc' },
    ]);
    expect([code, out]).toEqual([0, '01234567abc']);
    expect(err).toContain('(2 bytes are missing here.)');
  });

  it.each([
    { liveOutput: true, says: 'No output yet. It appears up to a minute after the job starts.' },
    { liveOutput: false, says: 'hpc_one shows output only after a job has ended.' },
  ])('says why there is no output yet: live_output $liveOutput', async (each) => {
    const { out, err } = await follow([undefined, { text: 'one\n' }], each.liveOutput);
    expect(out).toBe('one\n');
    expect(err).toContain(each.says);
  });
});

describe('a job that failed', () => {
  const failed = { ...ended, stage: 'FAILED', failed: true };
  const batch = {
    ...failed,
    batch_id: 'B417D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
    count: 1,
    counts: { waiting: 0, running: 0, done: 0, failed: 1, cancelled: 0 },
    max_running: null,
    held: { time: 1, space: 1 },
    used: { time: 1, space: 1 },
    end_date: '2026-01-01T00:10:00Z',
  };

  /** A service with one failed job, which wrote these files. */
  async function startFailed(written: Readonly<Record<string, string>>) {
    const files = Object.entries(written);
    const answers: readonly (readonly [part: string, body: unknown])[] = [
      ...files.map(([name, text]) => [`/${name}/`, text] as const),
      ['timeline/', { reason: 'exit code 3', stages: [], run: null }],
      ['/files/', files.map(([name, { length }]) => ({ fileid: name, filename: name, length }))],
      [`/batches/hpc_one/proj_hpc_one_01/${batch.batch_id}`, batch],
      ['/batches', [batch]],
      [failed.job_id, failed],
      ['/jobs', [failed]],
      ['', []],
    ];
    const url = await startServer(({ url: path = '' }, response) => {
      const [, body] = answers.find(([part]) => path.includes(part)) ?? [];
      const isText = typeof body === 'string';
      response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? body : JSON.stringify(body));
    });
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
    return (...words: string[]) => openCommandHome().run(words, { environment });
  }

  it.each([[[]], [['-f']]])(
    'shows its output, then its errors, by slipway logs %j',
    async (more) => {
      const run = await startFailed({ stdout: 'one\n', stderr: 'No such file: a.nc\n' });
      const { code, out, err } = await run('logs', ...more, 'AF17');
      expect([code, out]).toEqual([0, 'one\n']);
      expect(err).toContain('No such file: a.nc\n');
    },
  );

  it.each([[[]], [['-f']]])(
    'shows its errors if it wrote nothing else, by slipway logs %j',
    async (more) => {
      const run = await startFailed({ stdout: '', stderr: 'No such file: a.nc\n' });
      expect((await run('logs', ...more, 'AF17')).err).toContain('No such file: a.nc\n');
      const silent = await startFailed({ stderr: 'No such file: a.nc\n' });
      expect(await silent('logs', ...more, 'AF17')).toMatchObject({
        code: 0,
        err: expect.stringContaining('No such file: a.nc'),
      });
    },
  );

  it.each([{}, { stdout: '' }])('without words has its reason in the list: %j', async (files) => {
    const run = await startFailed(files);
    expect((await run('jobs')).out).toContain('exit code 3');
  });

  it('without files is explained by slipway logs', async () => {
    const run = await startFailed({});
    for (const words of [[], ['-f']]) {
      const { code, err } = await run('logs', ...words, 'AF17');
      expect([code, err]).toEqual([3, expect.stringContaining('exit code 3')]);
    }
    const other = await run('logs', '--file', 'result.txt', 'AF17');
    expect(other.err).toContain('slipway files AF17D39A');
  });

  it('has its last line in the list of jobs, in its batch and after waiting', async () => {
    const stderr = 'Traceback\n\u001b[31mNo such file: a.nc\u001b[0m\n\n';
    const run = await startFailed({ stdout: 'one\n', stderr });
    expect((await run('jobs')).out).toContain('No such file: a.nc');
    expect((await run('batch', 'B417')).out).toContain('exit code 3 No such file: a.nc');
    expect((await run('wait', 'AF17')).err).toContain('No such file: a.nc\n');
  });
});

describe('a job without files', () => {
  it.each([
    { job: running, says: 'The job has no files yet.' },
    { job: ended, says: 'The job left no files.' },
    { job: { ...ended, stage: 'DELETED' }, says: 'The files of the job were deleted.' },
  ])('is described by its stage: $job.stage', ({ job, says }) => {
    expect(describeNoFiles(job)).toBe(says);
  });

  it.each(['files', 'download'])('is reported by slipway %s', async (command) => {
    const environment = await startServiceWith([undefined]);
    const { out, err } = await openCommandHome().run([command, 'AF17'], { environment });
    expect(`${out}${err}`).toContain('The job left no files.');
  });
});

describe('slipway submit', () => {
  const price = {
    accepted: true,
    runtime: 2,
    held: { time: 7200, space: 1 },
    left: { time: 90_000, space: 99 },
    living_jobs: 1,
    max_living_jobs: 10,
    similar: { jobs: 10, time: { used: 720, asked: 7200 } },
  };
  const hint = 'Your last 10 jobs of this kind used at most 12 min of 2 h.';

  async function submit(options: readonly string[], columns?: number, estimate: object = price) {
    const systems = [{ name: 'hpc_one', project_hpc: 'HPC_ONE', charging: 'node', projects: [] }];
    const url = await startServer(({ url: path = '', method }, response) => {
      const isEstimate = path.includes('dry_run=true');
      const isSubmission = method === 'POST' && !isEstimate;
      response.writeHead(isSubmission ? 201 : 200, { 'content-type': 'application/json' });
      const body = isEstimate ? estimate : isSubmission ? running : systems;
      response.end(JSON.stringify(body));
    });
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
    const words = ['submit', 'hpc_one', '--command', 'ls', '--runtime', '2h', ...options];
    return openCommandHome().run(words, { environment, ...(columns && { columns }) });
  }

  it('refuses a name in braces that no column has, unless it is meant', async () => {
    const preview = [
      { index: 0, program: `ls {sed} \${HOME} {1..3}`, title: 'run {sed}' },
      { index: 1, program: 'ls {sed}', title: '' },
    ];
    const batch = { ...price, count: 2, preview };
    const refused = await submit(['--count', '2'], undefined, batch);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('{sed} is in the command or the title, but without a table only');
    expect(refused.err).toContain('--allow-unmatched');
    expect(refused.err).not.toContain('HOME');
    const shown = await submit(['--count', '2', '--dry-run'], undefined, batch);
    expect([shown.code, shown.out]).toEqual([
      0,
      expect.stringContaining('{sed} is in the command'),
    ]);
    const meant = await submit(['--count', '2', '--allow-unmatched', '--json'], undefined, batch);
    expect([meant.code, meant.err]).toEqual([0, expect.not.stringContaining('{sed}')]);
  });

  it.each([[], ['--dry-run']])('tells that braces stay without a table, %s', async (...options) => {
    const { code, out, err } = await submit([...options, '--title', `run {alpha} \${HOME}`]);
    expect([code, out + err]).toEqual([0, expect.stringContaining('{alpha} stays as it is.')]);
    expect(out + err).not.toContain('{HOME}');
  });

  it('says by which option the index of a single job gets a number', async () => {
    const { out } = await submit(['--dry-run', '--title', 'run {index} {alpha}']);
    expect(out).toContain('{index} stays as it is. With --count N it is the number of each job.\n');
    expect(out).toContain('{alpha} stays as it is. With --table FILE it is a column');
  });

  it('suggests the name in braces that was probably meant', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-table-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const table = join(folder, 'params.csv');
    writeFileSync(table, 'seed,how\n1,fast\n');
    const mistype = async (name: string, ...options: string[]) => {
      const preview = [{ index: 0, program: `ls ${name}`, title: '' }];
      return (await submit([...options, '--dry-run'], undefined, { ...price, count: 5, preview }))
        .out;
    };
    expect(await mistype('{indx}', '--count', '5')).toContain(
      '{indx} is in the command or the title, but without a table only {index} is known. Did you mean {index}?\n',
    );
    expect(await mistype('{alpha}', '--count', '5')).toContain('only {index} is known.\n');
    expect(await mistype('{sed}', '--table', table)).toContain(
      'but no column has this name. Did you mean {seed}?\n',
    );
    expect(await mistype('{indx}', '--table', table)).toContain('Did you mean {index}?\n');
    expect(await mistype('{alpha}', '--table', table)).toContain('no column has this name.\n');
  });

  it('writes how many jobs may be active as other numbers are written', async () => {
    const { out } = await submit(['--dry-run'], undefined, { ...price, max_living_jobs: 10_000 });
    expect(out).toContain('It would be active job 1 of at most 10,000.');
  });

  it.each([
    { where: 'on a terminal', options: [], columns: 80, told: true },
    { where: 'without questions', options: ['--yes'], columns: 80, told: true },
    { where: 'in a script', options: [], columns: undefined, told: false },
    { where: 'as JSON', options: ['--json'], columns: 80, told: false },
  ])('says how much time such jobs needed, $where: $told', async (each) => {
    const { code, out, err } = await submit(each.options, each.columns);
    expect([code, err.includes(hint)]).toEqual([0, each.told]);
    expect(out).not.toContain(hint);
  });

  it('says so in an estimate, too', async () => {
    expect((await submit(['--dry-run'])).out).toContain(hint);
  });
});

describe('slipway files --folder', () => {
  it('lists a folder page by page, and its folders without a size', async () => {
    const asked: string[] = [];
    const url = await startServer((request, response) => {
      const { url: path = '' } = request;
      asked.push(path);
      if (path.startsWith('/jobs')) return void response.end(JSON.stringify([ended]));
      const isFirst = !path.includes('cursor');
      if (isFirst) response.setHeader('link', `<http://localhost${path}&cursor=c>; rel="next"`);
      const folder = { fileid: '', filename: 'out/in/', length: 0, folder: true };
      const file = { fileid: 'a', filename: 'out/a', length: 1 };
      response.end(JSON.stringify([isFirst ? folder : file]));
    });
    const environment = { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
    const words = ['files', running.job_id, '--folder', 'out'];
    const { out } = await openCommandHome().run(words, { environment });
    expect(out).toMatch(/^FILE +SIZE\nout\/in\/ *\nout\/a +1 byte\n$/);
    expect(asked.filter((path) => path.startsWith('/files'))).toEqual([
      expect.stringMatching(/\/\?folder=out&limit=5000$/),
      expect.stringMatching(/\/\?folder=out&limit=5000&cursor=c$/),
    ]);
  });
});
