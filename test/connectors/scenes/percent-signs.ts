import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

/** An address that is encoded once too often, or not often enough, leads to another file. */
const names = ['100%.txt', '%41.txt', 'a%2Fb.txt', '50%25.txt'];

export const percentSigns: Scene = {
  name: 'percent-signs',
  title: 'files keep names with percent signs',
  async play(stage) {
    const job = await stage.submit({
      script: names.map((name) => `printf %s 'in ${name}' >'${name}'`).join('\n'),
    });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    expect(await stage.listNames(job)).toEqual(expect.arrayContaining(names));
    for (const name of names) expect(await stage.readText(job, name)).toBe(`in ${name}`);
  },
};
