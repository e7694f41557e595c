import { defineConfig } from 'vitest/config';

const closedNetwork = 'test/setup/close-network.ts';

/** Vite gives its workers a BASE_URL of its own: where the contract is sent goes by another name. */
const env = { CONTRACT_URL: process.env.BASE_URL ?? '' };

/** Stores and rules on real engines; files beside each other, each with tables of its own. */
const onEngines = {
  pool: 'threads',
  globalSetup: 'test/setup/start-dynamodb-local.ts',
  env: { ...env, POWERTOOLS_METRICS_DISABLED: 'true' },
};

/**
 * The service as a whole runs after all others, a file at a time: what is asserted has deadlines
 * of the service in it, and must not wait for a neighbour's work.
 */
const alone = { ...onEngines, fileParallelism: false, sequence: { groupOrder: 1 } };

/** The first run of a machine installs packages before it starts anything. */
const installing = { ...alone, hookTimeout: 300_000 };

const environment = 'test/setup/function-environment.ts';

/** What shares nothing that it changes: one load serves all files (the CDK takes seconds to load). */
const loadedOnce = { isolate: false };

function suite(name: string, setupFiles: string[], timeoutSeconds: number, more = {}) {
  return {
    test: {
      name,
      env,
      sequence: { groupOrder: 0 },
      include: [`test/${name}/**/*.test.ts`],
      setupFiles: [closedNetwork, ...setupFiles],
      testTimeout: timeoutSeconds * 1000,
      hookTimeout: 60_000,
      ...more,
    },
  };
}

export default defineConfig({
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    // By default one processor is left free; of two that would be half.
    maxWorkers: '100%',
    projects: [
      suite('unit', [], 10, loadedOnce),
      suite('handlers', [environment], 10, { ...loadedOnce, exclude: ['test/handlers/apart/**'] }),
      // Handlers that are loaded anew, or with something else in the place of a module.
      suite('handlers/apart', [environment], 10, { pool: 'threads' }),
      suite('integration', [], 60, onEngines),
      suite('service', [], 60, alone),
      // Random histories of accounts: `npm run test:model` plays more of them.
      suite('model', [], 60),
      suite('infra', [], 60, loadedOnce),
      suite('contract', [], 30),
      // A real Slurm, installed and started: `npm run test:slurm`, and no part of `npm test`.
      ...(process.env.SLURM === '1' ? [suite('slurm', [], 60, installing)] : []),
    ],
  },
});
