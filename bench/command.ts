import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundleClient } from '#tools/client/bundle-client.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const about = `Measures the start of \`slipway --help\` next to a Node that does nothing. Both are started in turn, and
the median counts.
`;

export const part: Part = {
  about,
  options: { times: { usual: 15, about: 'how often each is started' } },
  measure: async ({ count }) => {
    const folder = createTemporaryFolder();
    await bundleClient(join(folder, 'dist'));
    const times = count('times');
    const command: number[] = [];
    const bare: number[] = [];
    // The first start reads files that later ones find in the cache.
    for (let round = 0; round <= times; round += 1) {
      const taken = [
        start([join(folder, 'dist/slipway.js'), '--help']),
        start(['-e', '0']),
      ] as const;
      if (round === 0) continue;
      command.push(taken[0]);
      bare.push(taken[1]);
    }
    return report(median(command), median(bare));
  },
};

/** Returns milliseconds. */
function start(words: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - began;
}

function report(command: number, bare: number): Figure[] {
  process.stdout.write(
    formatTable([
      ['slipway --help', `${command.toFixed(0)} ms`],
      ['a Node that does nothing', `${bare.toFixed(0)} ms`],
      ['ratio', `${(command / bare).toFixed(2)} x`],
    ]),
  );
  return [
    { name: 'command.help.ms', value: command },
    { name: 'command.help.to-bare', value: command / bare },
  ];
}
