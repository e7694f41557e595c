import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { asBytes, Caller, type JobProperties, storageOf } from './caller.ts';
import { canStartUnicore } from './jars.ts';
import { startUnicore, type Unicore } from './server.ts';

const canStart = await canStartUnicore();

const noTimes = {
  ...{ total: 'N/A', queued: 'N/A', main: 'N/A', preCommand: 'N/A', postCommand: 'N/A' },
  ...{ 'stage-in': expect.stringMatching(/^(N\/A|\d+)$/), 'stage-out': 'N/A' },
};

describe.runIf(canStart)('what a real UNICORE/X answers about jobs and files', () => {
  let unicore: Unicore;
  let caller: Caller;

  beforeAll(async () => {
    unicore = await startUnicore();
    caller = new Caller(unicore);
  }, 900_000);
  afterAll(() => unicore?.close(), 60_000);

  const act = (id: string, action: string) => caller.post(`/jobs/${id}/actions/${action}`);
  const remove = (path: string) => caller.send(path, { method: 'DELETE' });
  const fileOf = (id: string, path: string) => `${storageOf(id)}/files/${path}`;
  const importInline = (To: string, Data: string) => ({ From: 'inline://x', To, Data });

  it('creates a job: 201, no body, and its address, whose end is no UUID', async () => {
    const { status, headers, body } = await caller.post('/jobs', { Executable: 'date' });
    expect({ status, body }).toEqual({ status: 201, body: '' });
    expect(headers.get('location')?.replace(unicore.baseUrl, '')).toMatch(/^\/jobs\/\w{8,12}$/);
  });

  it.each(['{"Executable":', '[]', ''])('answers broken JSON with 500: %j', async (text) => {
    const { status, body } = await caller.post('/jobs', text);
    const errorMessage = expect.stringContaining('Could not submit job: org.json.JSONException: ');
    expect(status).toBe(500);
    expect(JSON.parse(body)).toEqual({ errorMessage, status: 500 });
  });

  it.each([
    [{ Resources: { Nodes: '99' } }, 'Resource request <Nodes=99> is out of range.'],
    [{ Resources: { Nodes: 'many' } }, 'Resource request <Nodes=many> is out of range.'],
    [{ Resources: { Queue: 'nope' } }, 'Resource request <Queue = nope> is out of range.'],
    [{ Resources: { Foo: '1' } }, 'Resource <Foo> is not available for partition <batch>'],
    [{ Resources: { Runtime: 'bogus' } }, 'Could not parse requested resource <Runtime>'],
    [{ Imports: 'x' }, "'Imports' must be an array or a map"],
    [{ Name: 'a$(id)' }, "Job name contains illegal characters: '$('"],
    [{ Executable: undefined, ApplicationName: 'NoSuch' }, "'NoSuch' is not available."],
  ])('takes a bad description, and the job fails: %j', async (part, reason) => {
    const job = await caller.run({ Executable: 'date', ...part });
    expect(job).toMatchObject({ status: 'FAILED', consumedTime: noTimes });
    expect(job.statusMessage).toMatch(/^Processing failed: [\w.]+Exception: /);
    expect(job.statusMessage).toContain(reason);
    expect(job.exitCode).toBeUndefined();
  });

  it.each([
    { Nonsense: true },
    { Resources: 'x', Tags: 'x', Arguments: 'x', Environment: 'x' },
    { Resources: { Runtime: '120m', Project: 'p' } },
    { haveClientStageIn: 'maybe' },
  ])('ignores what it cannot use: %j', async (part) => {
    const job = await caller.run({ Executable: 'date', ...part });
    expect(job).toMatchObject({ status: 'SUCCESSFUL', statusMessage: '', exitCode: '0' });
  });

  it('checks the resources of a job that waits for its start when it is started', async () => {
    const id = await caller.prepare({ Executable: 'date', Resources: { Nodes: '99' } });
    expect((await act(id, 'start')).status).toBe(204);
    expect((await caller.waitFor(id, 'FAILED')).statusMessage).toContain('out of range');
  });

  it('shows a job that waits for its start, and its storage', async () => {
    const id = await caller.prepare({ Executable: 'date', Tags: ['one', 'two'] });
    const job = await caller.read<JobProperties>(`/jobs/${id}`);
    expect(job).toMatchObject({
      ...{ status: 'READY', statusMessage: '', consumedTime: noTimes, name: 'UNICORE_Job' },
      ...{ batchSystemID: 'N/A', queue: 'N/A', jobType: 'BATCH', owner: 'CN=demouser', acl: [] },
      ...{ tags: ['one', 'two'], submissionPreferences: {}, log: expect.any(Array) },
    });
    expect(job.submissionTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/);
    expect(Object.keys(job._links).sort()).toEqual([
      ...['action:abort', 'action:restart', 'action:start', 'details', 'forwarding'],
      ...['parentTSS', 'self', 'submitted', 'workingDirectory'],
    ]);
    expect(job._links.workingDirectory?.href).toBe(`${unicore.baseUrl}${storageOf(id)}`);
    expect(await caller.read(storageOf(id))).toMatchObject({
      ...{ resourceStatus: 'READY', resourceStatusMessage: 'N/A', description: 'Job workspace' },
      ...{ mountPoint: unicore.directoryOf(id), umask: '027', protocols: ['BFT'] },
    });
  });

  it('shows a job that has ended, with whole seconds as text', async () => {
    const job = await caller.run({ Executable: 'sleep 1' });
    expect(job).toMatchObject({ status: 'SUCCESSFUL', exitCode: '0', queue: 'batch' });
    expect(job.batchSystemID).toMatch(/^INTERNAL-TSI-\d+$/);
    expect(job.consumedTime.main).toMatch(/^\d+$/);
    expect(job.consumedTime.total).toMatch(/^\d+$/);
    expect(await caller.read(`/jobs/${job.id}/details`)).toEqual({ rawDetailsData: 'N/A' });
    expect(await caller.read(`/jobs/${job.id}/submitted`)).toEqual({ Executable: 'sleep 1' });
  });

  it('shows a failed command, and how long it took, but no total', async () => {
    const job = await caller.run({ Executable: 'sleep 1; false' });
    expect(job).toMatchObject({ status: 'FAILED', exitCode: '1' });
    expect(job.consumedTime).toMatchObject({ main: expect.stringMatching(/^\d+$/), total: 'N/A' });
    const directory = unicore.directoryOf(job.id);
    expect(job.statusMessage).toBe(
      `User application exited with non-zero exit code: <1>. More information might be available in the job's working directory '${directory}/'`,
    );
  });

  it('takes a command that ends the shell for successful, without an exit code', async () => {
    const job = await caller.run({ Executable: 'exit 3' });
    expect(job).toMatchObject({ status: 'SUCCESSFUL', statusMessage: '' });
    expect(job.exitCode).toBeUndefined();
  });

  it('does not end a job that is over its time', async () => {
    const job = await caller.run({ Executable: 'sleep 3', Resources: { Runtime: '1' } });
    expect(job).toMatchObject({ status: 'SUCCESSFUL', exitCode: '0' });
    expect(Number(job.consumedTime.main)).toBeGreaterThanOrEqual(2);
  });

  it('writes executable, arguments and values into a shell script, unquoted', async () => {
    const { id } = await caller.run({
      Executable: 'echo',
      Arguments: ['a  b', '$A', "'$A  x'", '`echo c`', '"$B"', 'x; echo "$UC_EXECUTABLE"'],
      Environment: { A: '1 `echo 2`', B: 'q  r' },
    });
    expect(await caller.readFile(id, 'stdout')).toBe('a b 1 2 $A  x c q  r x\necho\n');
  });

  it('runs a job in its directory, with variables of UNICORE alone', async () => {
    const { id } = await caller.run({ Executable: 'pwd; env | grep -E ^UC_ | sort; umask' });
    const directory = unicore.directoryOf(id);
    const lines = (await caller.readFile(id, 'stdout')).trim().split('\n');
    expect(lines.slice(2)).toEqual([
      ...['UC_MEMORY_PER_NODE=-1', 'UC_NODES=1', `UC_OUTPUT_DIRECTORY=${directory}/`],
      ...['UC_PROCESSORS_PER_NODE=1', 'UC_RUNTIME=3600', 'UC_TOTAL_PROCESSORS=-1'],
      ...['UC_USERDN=CN=demouser', `UC_WORKING_DIRECTORY=${directory}/`, '0027'],
    ]);
    expect(lines[0]).toBe(directory);
    expect(lines[1]).toMatch(/^UC_EXECUTABLE=pwd; env/);
  });

  const hard = `# "a" 'b' \\n $HOME \`id\` \${X} %s\tünï €\u{1f600}\ncat script.sh\n#\r\n# no end`;

  it.each(['false', 'true'])(
    'has inline imports byte for byte, with haveClientStageIn %s',
    async (waits) => {
      const Imports = [importInline('script.sh', hard), importInline('a/b/c %.txt', 'deep')];
      const command = { Executable: '/bin/bash', Arguments: ['script.sh'] };
      const id = await caller.submit({ ...command, Imports, haveClientStageIn: waits });
      if (waits === 'true') {
        await pollUntil('the import is there', 20, async () =>
          (await caller.readFile(id, 'script.sh')) === hard ? true : undefined,
        );
        expect((await act(id, 'start')).status).toBe(204);
      }
      await caller.waitFor(id, 'SUCCESSFUL', 'FAILED');
      expect(await caller.readFile(id, 'script.sh')).toBe(hard);
      expect(await caller.readFile(id, 'stdout')).toBe(hard);
      expect(existsSync(`${unicore.directoryOf(id)}/a/b/c %.txt`)).toBe(true);
    },
  );

  it('has inline imports of a megabyte', async () => {
    const Imports = [importInline('big', 'x"\\$\n'.repeat(200_000))];
    const { id } = await caller.run({ Executable: 'wc -c big', Imports });
    expect(await caller.readFile(id, 'stdout')).toBe('1000000 big\n');
  });

  it('fails a job whose import leads elsewhere', async () => {
    const job = await caller.run({ Executable: 'ls', Imports: [importInline('../x', 'x')] });
    expect(job.status).toBe('FAILED');
    expect(job.statusMessage).toContain('Staging in failed. Reason: Filetransfer FAILED: [inline');
  });

  it('starts and aborts: 204 also for what has ended, 404 for what it does not know', async () => {
    const id = await caller.prepare();
    expect(await act(id, 'start')).toMatchObject({ status: 204, body: '' });
    expect((await act(id, 'start')).status).toBe(204);
    const before = await caller.waitFor(id, 'SUCCESSFUL');
    for (const action of ['start', 'abort']) expect((await act(id, action)).status).toBe(204);
    expect(await caller.read(`/jobs/${id}`)).toMatchObject({ ...before, log: expect.anything() });
    expect(await act(id, 'bogus')).toMatchObject({ status: 404, body: '' });
    expect(await act('nope', 'abort')).toMatchObject({ status: 404, body: '' });
    expect(await caller.send('/jobs/nope')).toMatchObject({ status: 404, body: '' });
  });

  const aborted = { status: 'FAILED', statusMessage: 'Job aborted.' };

  it('aborts a job that waits for its start, and never starts it then', async () => {
    const id = await caller.prepare();
    expect((await act(id, 'abort')).status).toBe(204);
    expect(await caller.waitFor(id, 'FAILED')).toMatchObject({ ...aborted, consumedTime: noTimes });
    expect((await act(id, 'start')).status).toBe(204);
    expect(await caller.read(`/jobs/${id}`)).toMatchObject(aborted);
  });

  it('aborts a running job, whose time and exit code nobody knows then', async () => {
    const id = await caller.submit({ Executable: 'sleep 30' });
    await caller.waitFor(id, 'RUNNING');
    expect((await act(id, 'abort')).status).toBe(204);
    const job = await caller.waitFor(id, 'FAILED');
    expect(job).toMatchObject({ ...aborted, consumedTime: { main: 'N/A', total: 'N/A' } });
    expect(job.exitCode).toBeUndefined();
  });

  it('deletes a job in any state with its directory: 204, then 404', async () => {
    const running = await caller.submit({ Executable: 'sleep 30' });
    await caller.waitFor(running, 'RUNNING', 'QUEUED');
    const ended = await caller.run({ Executable: 'date' });
    for (const id of [await caller.prepare(), ended.id, running]) {
      expect(await remove(`/jobs/${id}`)).toMatchObject({ status: 204, body: '' });
      expect((await caller.send(`/jobs/${id}`)).status).toBe(404);
      expect((await caller.send(storageOf(id))).status).toBe(404);
      expect((await remove(`/jobs/${id}`)).status).toBe(404);
      await pollUntil('the directory is gone', 10, async () =>
        (await unicore.listJobDirectories()).includes(id) ? undefined : true,
      );
    }
  });

  it('lists addresses, in no order, of all jobs or of those with all the tags', async () => {
    const list = (query: string) =>
      caller.read<{ jobs: string[]; _links: object }>(`/jobs?${query}`);
    const ids: string[] = [];
    for (const Tags of [['a-1'], ['a-1', 'b-2'], ['a-1', 'c d']]) {
      ids.push(await caller.prepare({ Executable: 'date', Tags }));
    }
    const [one, two, three] = ids.map((id) => `${unicore.baseUrl}/jobs/${id}`);
    expect(new Set((await list('tags=a-1')).jobs)).toEqual(new Set([one, two, three]));
    expect(await list('tags=a-1,b-2&num=5')).toEqual({
      jobs: [two],
      _links: { self: { href: `${unicore.baseUrl}/jobs/?offset=0&num=5` } },
    });
    expect((await list('tags=none')).jobs).toEqual([]);
    // A tag with a blank or a comma cannot be looked for.
    expect((await list('tags=c%20d')).jobs).toEqual([]);
    const page = await list('offset=1&num=1');
    expect(page.jobs).toHaveLength(1);
    expect(Object.keys(page._links).sort()).toEqual(['next', 'previous', 'self']);
  });

  it('takes files: 204, with the directories above; JSON is something else', async () => {
    const id = await caller.prepare();
    expect(await caller.put(fileOf(id, 'd/e/f'), 'x')).toMatchObject({ status: 204, body: '' });
    expect((await caller.put(fileOf(id, 't'), 'x', 'text/plain')).status).toBe(204);
    expect((await caller.put(fileOf(id, 'j'), '{}', 'application/json')).status).toBe(404);
    expect((await caller.put(fileOf(id, 't'), '{}', 'application/json')).status).toBe(200);
    expect((await caller.put(fileOf(id, 'd'), 'x')).status).toBe(500);
    const entry = { lastAccessed: expect.stringMatching(/[+-]\d{4}$/) };
    expect(await caller.read(fileOf(id, ''))).toMatchObject({
      ...{ isDirectory: true, permissions: 'rwx', metadata: {} },
      content: {
        '/d/': { ...entry, isDirectory: true, size: 4096, permissions: 'rwx' },
        '/t': { ...entry, isDirectory: false, size: 1, permissions: 'rw-' },
      },
    });
    const below = await caller.read<{ content: object }>(fileOf(id, 'd/e'));
    expect(Object.keys(below.content)).toEqual(['/d/e/f']);
  });

  it.each([
    ...["q'q", 'q%27q', 'a%20b', '%C3%A4%E2%82%AC', 'a+b', 'a%2Bb', '%23', '%3F', '%3B', '%22'],
    ...['%24x', '%60', '%5B1%5D', '.hidden', '-dash'],
  ])('takes and gives a file by the name %s', async (name) => {
    const id = await caller.prepare();
    expect((await caller.put(fileOf(id, name), 'x')).status).toBe(204);
    expect(await caller.readFile(id, name)).toBe('x');
    const { content } = await caller.read<{ content: object }>(fileOf(id, ''));
    expect(Object.keys(content)).toEqual([`/${decodeURIComponent(name)}`]);
  });

  it.each(['p%25q', 'p%q', 'b%5Cs', 's%2Fl', '%09', '%0A'])('never takes %s: 400', async (name) => {
    const id = await caller.prepare();
    expect(await caller.put(fileOf(id, name), 'x')).toMatchObject({ status: 400, body: '' });
    expect((await caller.send(fileOf(id, name), { headers: asBytes })).status).toBe(400);
  });

  it('gives files, and ranges of them', async () => {
    const id = await caller.prepare();
    await caller.put(fileOf(id, 'd/f'), 'hello world');
    const get = async (path: string, headers = {}) => {
      const answer = await caller.send(fileOf(id, path), { headers: { ...asBytes, ...headers } });
      return [answer.status, answer.body];
    };
    expect(await get('d/f')).toEqual([200, 'hello world']);
    expect(await get('d/f', { Range: 'bytes=0-4' })).toEqual([206, 'hello']);
    expect(await get('d/f', { Range: 'bytes=-5' })).toEqual([206, 'world']);
    expect(await get('d/f', { Range: 'bytes=50-60' })).toEqual([206, '']);
    expect(await get('d/f', { Range: 'junk' })).toEqual([416, expect.stringContaining('parsed')]);
    expect(await get('d')).toEqual([406, '']);
    expect(await get('nope')).toEqual([404, '']);
    expect((await caller.send(fileOf(id, 'nope/'))).status).toBe(404);
    expect((await caller.send(fileOf('nope', ''))).status).toBe(404);
    expect(await caller.read(fileOf(id, 'd/f'))).toMatchObject({ size: 11, isDirectory: false });
  });
});
