import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { editCatalog } from '../fixtures/broken-catalogs.ts';
import { end, type Home, openHome, projectRoot, readToEnd } from '../fixtures/edition.ts';

const curlIsPresent = spawnSync('curl', ['--version']).status === 0;

let home: Home;
beforeEach(() => {
  home = openHome();
});

describe('npm start', () => {
  it.runIf(curlIsPresent)('prints three curl lines that work when pasted', async () => {
    const { welcome } = await home.start();
    const lines = welcome.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(3);
    expect(welcome).toMatch(/\/docs\/ .*\/openapi\.json$/m);
    const answers = [];
    for (const line of lines) {
      const { stdout } = await promisify(execFile)('sh', ['-c', line]);
      answers.push(JSON.parse(stdout));
    }
    expect(answers[0]).toMatchObject([{ time_left: 18_000_000 }, { time_left: 18_000_000 }]);
    expect(answers[1]).toMatchObject({ id: 1, owner: '306328', stage: 'QUEUED', runtime: 2 });
    expect(answers[2]).toMatchObject([{ time_left: 17_985_600 }, { time_left: 18_000_000 }]);
  });

  it('prints one plain line for each request, and nothing else', async () => {
    const { child, url, token } = await home.start({ DATA_DIR: 'memory' });
    const ended = readToEnd(child);
    for (const path of ['/quotas/', '/nowhere/']) {
      await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    }
    await end(child, 'SIGINT');
    const { text } = await ended;
    expect(text.replace(/ \d+ ms/g, ' _ ms')).toBe(
      'GET /quotas/ 200 _ ms\nGET /nowhere/ 404 _ ms\nStopped.\n',
    );
  });

  it('ends cleanly with Ctrl-C, and has its data again after a restart', async () => {
    const first = await home.start();
    const headers = { authorization: `Bearer ${first.token}` };
    const before = await (await fetch(`${first.url}/quotas/`, { headers })).text();
    expect(await end(first.child, 'SIGINT')).toBe(0);

    const second = await home.start();
    // The token of the first run is still good: the issuer's key outlives it.
    const after = await (await fetch(`${second.url}/quotas/`, { headers })).text();
    expect(JSON.parse(after)).toHaveLength(2);
    expect(after).toBe(before);
    expect(await end(second.child, 'SIGINT')).toBe(0);
  });

  it('keeps nothing with DATA_DIR=memory, and tools find it only while it runs', async () => {
    const edition = await home.start({ DATA_DIR: 'memory' });
    expect(edition.welcome).toContain('memory');
    const note = join(home.path, '.slipway/running', `${edition.child.pid}.json`);
    expect(statSync(note).mode & 0o777).toBe(0o600);
    const headers = { authorization: `Bearer ${edition.token}` };
    await fetch(`${edition.url}/quotas/`, { headers });
    const reconcile = () =>
      promisify(execFile)(process.execPath, [join(projectRoot, 'tools/reconcile/reconcile.ts')], {
        cwd: home.path,
        env: { PATH: process.env.PATH },
      });
    const { stdout, stderr } = await reconcile();
    expect(stdout).toBe('2 checked, 0 wrong, 0 repaired, 0 busy\n');
    expect(stderr).toContain(`Working on laptop at ${edition.url} `);
    expect(await end(edition.child, 'SIGINT')).toBe(0);
    await expect(reconcile()).rejects.toMatchObject({
      code: 1,
      stderr:
        'No laptop edition is running here. Start one with `npm start`, or name a table on AWS: --table NAME.\n',
    });
    expect(spawnSync('ls', ['-A', home.path], { encoding: 'utf8' }).stdout.trim()).toBe('.slipway');
    expect(spawnSync('ls', [join(home.path, '.slipway')], { encoding: 'utf8' }).stdout.trim()).toBe(
      'issuer-key.pem\nkey',
    );
  });

  it('is found by tools after others have come and gone, and by its folder beside others', async () => {
    const kept = await home.start();
    const reconcile = (environment: Readonly<Record<string, string>> = {}) =>
      promisify(execFile)(process.execPath, [join(projectRoot, 'tools/reconcile/reconcile.ts')], {
        cwd: home.path,
        env: { PATH: process.env.PATH, ...environment },
      });
    const other = await home.start({ DATA_DIR: 'memory' });
    const killed = await home.start({ DATA_DIR: 'memory' });
    await end(killed.child, 'SIGKILL');
    const folder = join(home.path, '.slipway/data');
    await expect(reconcile()).rejects.toMatchObject({
      code: 1,
      stderr: [
        'Several laptop editions are running here. Say which one you mean, by DATA_DIR or PORT as it was started:',
        ...[
          `  ${kept.url}, with DATA_DIR=${folder}`,
          `  ${other.url}, with DATA_DIR=memory`,
        ].sort(),
        '',
      ].join('\n'),
    });
    const chosen = `Working on laptop at ${kept.url} `;
    expect((await reconcile({ DATA_DIR: '.slipway/data' })).stderr).toContain(chosen);
    expect((await reconcile({ PORT: new URL(kept.url).port })).stderr).toContain(chosen);
    await end(other.child, 'SIGTERM');
    expect((await reconcile()).stderr).toContain(chosen);
    await end(kept.child, 'SIGTERM');
  });

  it('says in one line that its port is in use, and exits with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, text } = await readToEnd(home.run({ PORT: String(port) }));
    other.close();
    expect({ code, text }).toEqual({
      code: 1,
      text: `Port ${port} is in use. Choose another one: PORT=${Number(port) + 1} npm start\n`,
    });
  });

  it.each([
    { name: 'is a file', prepare: (path: string) => writeFileSync(path, 'no folder') },
    { name: 'lies below a file', prepare: (path: string) => writeFileSync(join(path, '..'), '') },
  ])('says in one line that DATA_DIR $name, and exits with 1', async ({ name, prepare }) => {
    const dataDirectory =
      name === 'is a file' ? join(home.path, 'data') : join(home.path, 'file', 'data');
    prepare(dataDirectory);
    const { code, text } = await readToEnd(home.run({ PORT: '0', DATA_DIR: dataDirectory }));
    expect(code).toBe(1);
    expect(text).toMatch(/^[^\n]+\n$/);
    expect(text).toContain(dataDirectory);
  });

  it('says in one line that a setting is wrong', async () => {
    const { code, text } = await readToEnd(home.run({ PORT: 'eighty' }));
    expect({ code, text }).toEqual({
      code: 1,
      text: 'Missing or invalid environment variables: PORT\n',
    });
  });

  it('says all that is wrong with its catalog, a line each, and starts nothing', async () => {
    const catalog = editCatalog(
      ['"nodes": 512', '"nodes": 0'],
      ['"number": 2', '"number": 1'],
      ['"first": "QUEUE"', '"first": "WAITING"'],
      ['"welcomeQuota"', '"welcomQuota"'],
      ['{ "kind": "simulator" }', '{ "kind": "slurm" }'],
    );
    writeFileSync(join(home.path, 'centre.json'), catalog);
    const { code, text } = await readToEnd(home.run({ PORT: '0', CATALOG: './centre.json' }));
    expect({ code, lines: text.trimEnd().split('\n') }).toEqual({
      code: 1,
      lines: [
        'centre.json:4: systems[0] "hpc_one": welcomeQuota is missing; it must be an object',
        'centre.json:10: systems[0] "hpc_one": limits.nodes is 0; it must be a whole number from 1 to 1000000',
        'centre.json:21: systems[0] "hpc_one": connector.partition is missing; it must be text of 1 to 128 characters',
        'centre.json:21: systems[0] "hpc_one": connector.workDirectory is missing; it must be a path that begins with / and has no spaces',
        'centre.json:21: systems[0] "hpc_one": connector.baseUrl is missing; write the address of slurmrestd, or reach for a cluster that is reached by ssh',
        'centre.json:22: systems[0] "hpc_one": welcomQuota is not a field; did you mean welcomeQuota?',
        'centre.json:28: systems[1] "hpc_two": projects[0].number is 1 a second time; each project of the catalog has a number of its own',
        'centre.json:41: systems[1] "hpc_two": stages.first is "WAITING"; it must be one of stages.living (QUEUE, COMMANDRENDERING, INPUTSTAGING, SUBMITTED, LOAD_RESULTS)',
      ],
    });
    expect(readdirSync(home.path)).toEqual(['centre.json']);
  });

  it("serves the operator's own catalog, with a line to paste for its first system", async () => {
    const { systems } = JSON.parse(editCatalog(['"hpc_two"', '"annex"']));
    writeFileSync(join(home.path, 'centre.json'), JSON.stringify({ systems: systems.slice(1) }));
    const { welcome, url, token } = await home.start({
      DATA_DIR: 'memory',
      CATALOG: 'centre.json',
    });
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/hpc/`, { headers });
    expect(await answer.json()).toMatchObject([{ name: 'annex', project_hpc: 'ANNEX' }]);
    expect(welcome).toMatch(/POST \S+\/jobs\/annex\/ .*'Payload: \{"tool":"NEURON74_TG",/);
  });

  it('says in one line that its data is in use by another one', async () => {
    await home.start({ DATA_DIR: 'data' });
    const { code, text } = await readToEnd(home.run({ PORT: '0', DATA_DIR: 'data' }));
    expect(code).toBe(1);
    expect(text).toMatch(/^[^\n]+\n$/);
  });
});

describe('npm run -s token', () => {
  const token = (...parameters: string[]) =>
    spawnSync(process.execPath, [join(projectRoot, 'local/token.ts'), ...parameters], {
      cwd: home.path,
      encoding: 'utf8',
    });
  const claims = (jwt: string) =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());

  it('prints a token and nothing else', () => {
    const { status, stdout, stderr } = token('--user', '7', '--admin');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(claims(stdout)).toMatchObject({ sub: '7', groups: ['slipway-admin'] });
  });

  it('is no administrator without --admin', () => {
    expect(claims(token('--user', '7').stdout)).not.toHaveProperty('groups');
  });

  it.each([[['--user', '']], [['--hours', '0']], [['--nonsense']]])(
    'refuses %j in one line',
    (parameters) => {
      const { status, stdout, stderr } = token(...parameters);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\n$/);
    },
  );

  it('explains itself with --help', () => {
    expect(token('--help').stdout).toContain('--user');
  });
});
