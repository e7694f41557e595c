import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';

const entry = new URL('../../../client/src/index.ts', import.meta.url).pathname;

it('has at most 16.5 KB and no dependencies', () => {
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
  expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(16_500);
  expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith('client/src/'))).toEqual(
    [],
  );
});
