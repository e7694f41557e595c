import { expect, it } from 'vitest';
import { readText } from '#client/src/cli/mcp/tools/files.ts';

async function* inPieces(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it.each([1, 2, 3, 7, 100])(
  'reads a text in parts without splitting characters (chunks of %i bytes)',
  async (size) => {
    const whole = 'aä神🧠 zß🧠神';
    for (const most of [4, 5, 6, 7, 40]) {
      const parts: string[] = [];
      for (let from: number | null = 0; from !== null; ) {
        const { text, next } = await readText(inPieces(whole, size), { from, most });
        expect(text).not.toContain('\ufffd');
        parts.push(text);
        from = next;
      }
      expect(parts.join('')).toBe(whole);
    }
  },
);

it('stops fetching after the requested part', async () => {
  let fetched = 0;
  async function* endless() {
    for (;;) {
      fetched += 10;
      yield Buffer.alloc(10, 'x');
    }
  }
  expect(await readText(endless(), { from: 5, most: 20 })).toEqual({
    text: 'x'.repeat(20),
    next: 25,
  });
  expect(fetched).toBe(30);
});

it('returns an empty text for an empty file', async () => {
  expect(await readText(null, { from: 0, most: 5 })).toEqual({ text: '', next: null });
});
