import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

const megabytes = 20;
const count = 300;

export const largeAndManyResults: Scene = {
  name: 'large-and-many-results',
  title: `a result of ${megabytes} MB arrives byte for byte, and so do ${count} small ones`,
  isLong: true,
  async play(stage) {
    const script = [
      `head -c ${megabytes}000000 /dev/urandom >large.bin`,
      'sha256sum large.bin | cut -d" " -f1',
      `for number in $(seq 1 ${count}); do echo "$number" >"part-$number.txt"; done`,
    ];
    const job = await stage.submit({ script: script.join('\n') });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    const large = await stage.readFile(job, 'large.bin');
    expect(large).toHaveLength(megabytes * 1_000_000);
    const sum = createHash('sha256').update(large).digest('hex');
    expect(await stage.readText(job, 'stdout')).toBe(`${sum}\n`);
    const parts = (await stage.listNames(job)).filter((name) => name.startsWith('part-'));
    expect(parts).toHaveLength(count);
    expect(await stage.readText(job, `part-${count}.txt`)).toBe(`${count}\n`);
  },
};
