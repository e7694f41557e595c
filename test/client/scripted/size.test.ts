import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

const entry = new URL('../../../client/src/index.ts', import.meta.url).pathname;

it('has at most 15 KB and no dependencies', () => {
  const { outputFiles, metafile } = buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(15_000);
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith('client/src/'))).toEqual(
    [],
  );
});
