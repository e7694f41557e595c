import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { findLogin } from '#lib/hpc/machine/find-login.ts';
import { explainMissingSandbox } from '#lib/hpc/machine/processes/sandbox.ts';
import { prepareKept } from '#lib/hpc/machine/project-folder.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { projectName } from '#test/fixtures/names.ts';
import { giveTo, prepareJob, readOutput } from './job-on-machine.ts';

const hasSandbox = (await explainMissingSandbox()) === undefined;
const isRoot = process.getuid?.() === 0;
const accounts = ['daemon', 'games', 'nobody'].filter((name) => findLogin(name));

function openPlace() {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-kept-'));
  chmodSync(directory, 0o711);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function systemThat(
  runsAs: 'service' | 'mapped',
  keep: Partial<HpcSystem['keep']> = {},
): HpcSystem {
  const [base] = catalog.systems;
  if (!base) throw new Error('The catalog of the tests is empty.');
  return { ...base, runsAs, keep: { maxKilobytes: 1, ...keep } };
}

interface Wish {
  readonly login?: string | undefined;
  readonly isSandboxed?: boolean;
}

/** Runs a command of a project, whose folder is `$KEPT`. */
async function run(
  command: string,
  kept: ReturnType<typeof prepareKept>,
  { login, isSandboxed = false }: Wish = {},
) {
  const job = prepareJob(command, { graceSeconds: 1 });
  if (login !== undefined) giveTo(login, job);
  job.changeOrder((order) => ({
    ...order,
    login,
    kept,
    environment: { ...order.environment, KEPT: kept?.path ?? '' },
    ...(isSandboxed && { sandbox: { network: false, readable: [] } }),
  }));
  await startShepherd(job.folder);
  return { ...(await job.ended()), ...readOutput(job) };
}

describe('the folder of a project', () => {
  it.runIf(hasSandbox)('is all that a job in a sandbox sees of the folders', async () => {
    const machine = { directory: openPlace() };
    const system = systemThat('service');
    const [ours, theirs] = ['ours', 'theirs'].map((name) =>
      prepareKept(machine, system, projectName(name)),
    );
    writeFileSync(join(theirs?.path ?? '', 'secret'), 'theirs');
    const look = `echo mine >"$KEPT/mine"; ls "$KEPT"; ls '${machine.directory}/.kept/${system.name}'; cat '${theirs?.path}/secret'`;
    const ended = await run(look, ours, { isSandboxed: true });
    expect(ended.stdout).toBe('mine\nours\n');
    expect(ended.stderr).toContain('No such file or directory');
    expect(existsSync(join(ours?.path ?? '', 'mine'))).toBe(true);
  });

  it('is told in words when a running job fills it', async () => {
    const machine = { directory: openPlace() };
    const kept = prepareKept(machine, systemThat('service'), projectName('ours'));
    const { stderr } = await run('head -c 2000 /dev/zero >"$KEPT/large"; sleep 6', kept);
    expect(stderr).toContain('has 2000 bytes, more than the 1000 that it may have');
    expect(stderr.match(/slipway:/g)).toHaveLength(1);
  });

  it
    .runIf(isRoot && accounts.length > 2)
    .each([{ isSandboxed: false }, { isSandboxed: hasSandbox }])(
    'is shared by the accounts of its members alone (sandbox: $isSandboxed)',
    async ({ isSandboxed }) => {
      const [ada, ben, eve] = accounts;
      const machine = { directory: openPlace() };
      const system = systemThat('mapped');
      const ours = prepareKept(machine, system, projectName('ours'));
      const theirs = prepareKept(machine, system, projectName('theirs'));
      expect(theirs?.group).not.toBe(ours?.group);
      // A file that is moved there keeps its mode and the group of its account.
      const first = await run(
        'echo one >"$KEPT/one"; echo two >two; chmod 600 two; mv two "$KEPT/two"; mkdir -m 700 "$KEPT/deep"; echo three >"$KEPT/deep/three"; id -u',
        ours,
        { login: ada, isSandboxed },
      );
      expect(first).toMatchObject({ code: 0, stdout: `${findLogin(ada ?? '')?.uid}\n` });
      const second = await run(
        'cd "$KEPT" && cat one two deep/three && echo more >>two && echo more >>deep/three && rm one && echo x >deep/x',
        ours,
        { login: ben, isSandboxed },
      );
      expect(second).toMatchObject({ code: 0, stdout: 'one\ntwo\nthree\n' });
      expect(statSync(join(ours?.path ?? '', 'two')).gid).toBe(ours?.group);
      const stranger = await run(`ls '${ours?.path}'; cat '${ours?.path}/two'`, theirs, {
        login: eve,
        isSandboxed,
      });
      expect(stranger.stdout).toBe('');
      expect(stranger.code).not.toBe(0);
    },
  );

  it.runIf(isRoot)('must have a group of its own if an administrator made it', () => {
    const directory = openPlace();
    const path = join(directory, 'made');
    const system = systemThat('mapped', { path });
    const prepare = () => prepareKept({ directory }, system, projectName('ours'));
    expect(prepare).toThrow('is not there');
    mkdirSync(path);
    expect(prepare).toThrow('belongs to a group of the system');
  });
});
