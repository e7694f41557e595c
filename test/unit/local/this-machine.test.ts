import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { runsInSandbox } from '#lib/hpc/machine/this-machine.ts';
import { openMachine } from '#local/this-machine.ts';
import { describeJobs } from '#local/welcome.ts';
import { catalog } from '../../fixtures/catalog.ts';

const explainMissingSandbox = vi.hoisted(() => vi.fn<() => Promise<string | undefined>>());
vi.mock('#lib/hpc/machine/processes/sandbox.ts', async (actual) => ({
  ...(await actual<object>()),
  explainMissingSandbox,
}));
beforeEach(() => explainMissingSandbox.mockReset());

type Settings = Extract<HpcSystem['connector'], { kind: 'machine' }>;

function systemOf(settings: Partial<Settings> = {}, runsAs: HpcSystem['runsAs'] = 'service') {
  const connector = { kind: 'machine', ...settings } as const;
  return { ...findSystem(catalog, 'hpc_one'), runsAs, connector } satisfies HpcSystem;
}

async function open(isForGroup: boolean, settings: Partial<Settings> = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  const system = systemOf(settings);
  const machine = await openMachine({
    systems: [system],
    dataDirectory,
    stateDirectory: dataDirectory,
    path: '/usr/bin:/bin',
    mayRunAsRoot: false,
    isForGroup,
  });
  onTestFinished(async () => machine?.close());
  return describeJobs(
    { formerlySimulated: [], machine: machine?.facts },
    { MONTHLY_BUDGET_USD: undefined },
    [system],
  );
}

describe('a machine for a group', () => {
  it('refuses to start without a sandbox, and says what to do', async () => {
    explainMissingSandbox.mockResolvedValue('bubblewrap is not installed');
    await expect(open(true)).rejects.toThrow(
      /bubblewrap is not installed.*apt install bubblewrap.*"sandbox": "none"/,
    );
  });

  it('starts without one if the catalog says so, and tells what jobs can read', async () => {
    explainMissingSandbox.mockResolvedValue('bubblewrap is not installed');
    expect(await open(true, { sandbox: 'none' })).toContain('can read and change whatever you can');
  });

  it('puts jobs into a sandbox unless the catalog says otherwise', async () => {
    expect(await open(true)).toContain('Jobs run in a sandbox');
  });
});

it('says for one person what a job can read', async () => {
  explainMissingSandbox.mockResolvedValue('bubblewrap is not installed');
  expect(await open(false)).toContain(
    'Jobs run as you: they can read and change whatever you can, such as your files, your keys in ~/.ssh, and other jobs.',
  );
});

it('refuses data that jobs in a sandbox would see', async () => {
  await expect(open(false, { sandbox: 'bubblewrap', readable: [tmpdir()] })).rejects.toThrow(
    'they would read',
  );
});

describe('the jobs of a system', () => {
  it.each([
    { sandboxesAll: true, runsAs: 'service', said: undefined, expected: true },
    { sandboxesAll: true, runsAs: 'mapped', said: undefined, expected: false },
    { sandboxesAll: true, runsAs: 'mapped', said: 'bubblewrap', expected: true },
    { sandboxesAll: true, runsAs: 'service', said: 'none', expected: false },
    { sandboxesAll: false, runsAs: 'service', said: undefined, expected: false },
    { sandboxesAll: false, runsAs: 'service', said: 'bubblewrap', expected: true },
  ] as const)('run in a sandbox: $expected, with $said', (each) => {
    const { sandboxesAll, runsAs, said, expected } = each;
    const system = systemOf(said && { sandbox: said }, runsAs);
    expect(runsInSandbox(system, { sandboxesAll })).toBe(expected);
  });
});
