import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generatePython, writeSync } from '#tools/python/generate.ts';

const description = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('../../../python/src/slipway_hpc', import.meta.url));
const generated = generatePython(description, folder);

describe('the generated code of the Python package', () => {
  it.each([...generated.keys()])('%s is up to date (if not, run npm run describe)', (name) => {
    expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe(generated.get(name));
  });

  it('has no plain module without its asynchronous one', () => {
    const names = (below: string) =>
      readdirSync(`${folder}/${below}`).filter((name) => name.endsWith('.py'));
    expect(names('_sync')).toEqual(names('_async'));
  });
});

describe('a plain module', () => {
  it('is made from an asynchronous one', () => {
    const source = `from collections.abc import AsyncIterator, Awaitable, Callable


class AsyncThing:
    async def __aenter__(self) -> AsyncThing:
        await pause_async(1)
        async with self.open() as file:
            return [each async for each in file.aiter_bytes()]

    def read(self, by: Callable[[str], Awaitable[Page[Item]]]) -> Awaitable[str]: ...
`;
    expect(
      writeSync(source, 'thing.py'),
    ).toBe(`# Made by \`npm run describe\` from _async/thing.py. Do not edit.
from collections.abc import Iterator, Callable


class Thing:
    def __enter__(self) -> Thing:
        pause(1)
        with self.open() as file:
            return [each for each in file.iter_bytes()]

    def read(self, by: Callable[[str], Page[Item]]) -> str: ...
`);
  });
});
