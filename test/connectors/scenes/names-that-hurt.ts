import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

/** Names that shells, addresses, forms and archives like to read as something else. */
const names = [
  'with some spaces.txt',
  "it's quoted.txt",
  'a "double" one.txt',
  'größe-数据.txt',
  '-rf',
  '$(id).txt',
  'a&b;c#d?e.txt',
];

export const namesThatHurt: Scene = {
  name: 'names-that-hurt',
  title:
    'files keep names with spaces, quotes, dashes, letters of all languages and signs of shells',
  isLong: true,
  async play(stage) {
    const job = await stage.submit({
      script: 'for name in *; do [ "$name" = run.sh ] || cp -- "$name" "out-$name"; done',
      files: names.map((name) => ({ name, content: `in ${name}` })),
    });
    expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
    const listed = await stage.listNames(job);
    expect(listed).toEqual(expect.arrayContaining(names.map((name) => `out-${name}`)));
    for (const name of names) expect(await stage.readText(job, `out-${name}`)).toBe(`in ${name}`);
  },
};
