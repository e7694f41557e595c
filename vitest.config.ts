import { defineConfig } from 'vitest/config';

const closedNetwork = 'test/setup/close-network.ts';

function suite(name: string, setupFiles: string[], timeoutSeconds: number) {
  return {
    test: {
      name,
      include: [`test/${name}/**/*.test.ts`],
      setupFiles: [closedNetwork, ...setupFiles],
      testTimeout: timeoutSeconds * 1000,
      hookTimeout: 60_000,
    },
  };
}

export default defineConfig({
  test: {
    reporters: ['default', './test/setup/closing-line.ts'],
    projects: [
      suite('unit', [], 10),
      suite('handlers', ['test/setup/function-environment.ts'], 10),
      suite('integration', [], 60),
      suite('infra', [], 60),
      suite('contract', [], 30),
    ],
  },
});
