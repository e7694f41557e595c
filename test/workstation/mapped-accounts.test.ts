import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStarted } from '#lib/hpc/machine/record/read-folder.ts';
import { openIssuer } from '#local/issuer.ts';
import { end, type Home, openHome, projectRoot, readToEnd } from '../fixtures/edition.ts';
import { pollUntil } from '../slurm/poll-until.ts';
import { type JobBody, Researcher } from '../slurm/researcher.ts';

const canMap =
  process.getuid?.() === 0 &&
  ['useradd', 'userdel', 'setpriv'].every((name) => spawnSync(name, ['--help']).status === 0);
if (!canMap) {
  process.stdout.write('Mapped accounts cannot be tried: it takes root, useradd and setpriv.\n');
}

function makeAccount(): string {
  const name = `slipway-${randomBytes(4).toString('hex')}`;
  execFileSync('useradd', ['--no-create-home', '--shell', '/usr/sbin/nologin', name]);
  onTestFinished(() => {
    // A failed test may leave a job behind, and an account in use cannot be removed.
    spawnSync('pkill', ['-KILL', '-u', name]);
    spawnSync('userdel', ['--force', name]);
  });
  return name;
}

/** Writes a catalog of one system, whose jobs run on this machine as their owners. */
function writeCatalog({ path }: Home): string {
  const shipped = join(projectRoot, 'lib/catalog/this-machine.json');
  const [system] = JSON.parse(readFileSync(shipped, 'utf8')).systems;
  const file = join(path, 'catalog.json');
  writeFileSync(file, JSON.stringify({ systems: [{ ...system, runsAs: 'mapped' }] }));
  return file;
}

function makeData(): string {
  const data = mkdtempSync(join(tmpdir(), 'slipway-mapped-'));
  // Each account must be able to pass through to the folders of its own jobs.
  chmodSync(data, 0o711);
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

describe.runIf(canMap)('two Unix accounts on one machine', () => {
  it('neither read nor stop each other, nor anything of the service', async () => {
    const home = openHome();
    const data = makeData();
    const accounts = { '306328': makeAccount(), '306329': makeAccount() };
    const edition = await home.start({
      CATALOG: writeCatalog(home),
      DATA_DIR: data,
      RUN_AS_ROOT: 'true',
    });
    const state = join(home.path, '.slipway');
    chmodSync(home.path, 0o711);
    const issuer = openIssuer(state);
    const authorization = `Bearer ${issuer.issueToken({ user: '100001', administrator: true })}`;
    for (const [user, account] of Object.entries(accounts)) {
      const { status } = await fetch(`${edition.url}/admin/users/${user}/accounts/hpc_one/`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ account, reason: 'a test' }),
      });
      expect(status).toBe(201);
    }
    const open = (user: string) =>
      new Researcher({ url: edition.url, token: issuer.issueToken({ user }), user });
    const [ada, eve] = [open('306328'), open('306329')];

    const ran = await ada.submit('id -un; echo HIDDEN > mine.txt; KEPT=HIDDEN sleep 300');
    const folder = join(data, 'jobs/hpc_one', ran.body.job_id);
    const { job } = await pollUntil('the job runs', 60, async () => readStarted(folder));
    const mine = join(folder, 'work/mine.txt');
    await pollUntil('the file is written', 60, async () =>
      statSync(mine, { throwIfNoEntry: false }),
    );

    const folders = [folder, join(folder, 'work'), join(folder, 'tmp'), join(data, 'jobs')].concat([
      join(data, 'dynamodb'),
      join(data, 'files'),
      state,
      `/proc/${job.pid}/cwd`,
    ]);
    const files = ['work/mine.txt', 'stdout', 'stderr', 'order.json', 'started.json']
      .map((name) => join(folder, name))
      .concat([join(data, 'dynamodb/table.sqlite'), join(state, 'issuer-key.pem')])
      .concat([`/proc/${job.pid}/environ`]);
    const probe = 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep HIDDEN';
    const spy = [
      'id -un',
      ...folders.map((path) => `ls -A ${path}/ 2>/dev/null`),
      ...files.map((path) => `cat ${path} 2>/dev/null`),
      `echo x 2>/dev/null > ${join(folder, 'work/planted')} && echo planted`,
      `echo x 2>/dev/null > ${join(folder, 'cancel')} && echo cancelled`,
      `kill ${job.pid} 2>/dev/null && echo killed`,
      probe,
      'echo done',
    ].join('; ');
    const asRoot = spawnSync('sh', ['-c', probe], { encoding: 'utf8' });
    expect(asRoot.stdout).toContain('KEPT=HIDDEN');
    const spied = await eve.submit(spy);
    await pollUntil('the other job ends', 120, async () => {
      const { terminal_stage: hasEnded } = await eve.read<JobBody>(spied.path);
      return hasEnded || undefined;
    });
    const printed = readFileSync(join(data, 'jobs/hpc_one', spied.body.job_id, 'stdout'), 'utf8');
    expect(printed).toBe(`${accounts['306329']}\ndone\n`);
    expect((await ada.read<JobBody>(ran.path)).terminal_stage).toBe(false);
    expect(readFileSync(join(folder, 'stdout'), 'utf8')).toBe(`${accounts['306328']}\n`);

    await ada.cancel(ran.path);
    await pollUntil('nothing of either is left', 60, async () => {
      const lists = Object.values(accounts).map((name) => spawnSync('pgrep', ['-u', name]).status);
      return lists.every((status) => status === 1) || undefined;
    });
    await end(edition.child, 'SIGINT');
  });

  it('need a service that was told to run as root', async () => {
    const home = openHome();
    const child = home.run({ PORT: '0', CATALOG: writeCatalog(home), DATA_DIR: makeData() });
    expect(await readToEnd(child)).toEqual({
      code: 1,
      text: expect.stringContaining('Run the service as root and set RUN_AS_ROOT=true'),
    });
  });
});
