import { readFileSync } from 'node:fs';
import type { Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import {
  listBundledPackages,
  readPackage,
  writeLicences,
} from '#infra/constructs/functions/third-party.ts';

/** An output of esbuild with these bytes of each file. */
function metafileOf(bytes: Readonly<Record<string, number>>): Metafile {
  const inputs = Object.fromEntries(
    Object.entries(bytes).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
  );
  return { inputs: {}, outputs: { 'index.js': { bytes: 1, inputs, imports: [], exports: [] } } };
}

describe('the packages of a bundle', () => {
  it('are those whose code esbuild kept, each once', () => {
    const packages = listBundledPackages(
      metafileOf({
        'lib/jobs/job.ts': 10,
        'node_modules/valibot/dist/index.mjs': 10,
        'node_modules/preact/dist/preact.mjs': 0,
      }),
      metafileOf({
        'node_modules/valibot/dist/other.mjs': 1,
        'node_modules/@middy/core/index.js': 1,
      }),
    );
    expect(packages.map(({ name }) => name)).toEqual(['@middy/core', 'valibot']);
  });
});

describe('the licences of a bundle', () => {
  it('are the texts that the packages ship', () => {
    const text = writeLicences([readPackage('node_modules/valibot')]);
    expect(text).toMatch(/^valibot \d+\.\d+\.\d+ \(MIT\)$/m);
    expect(text).toContain(readFileSync('node_modules/valibot/LICENSE.md', 'utf8').trim());
  });

  it('have the standard text if a package only names its licence', () => {
    const { text } = readPackage('node_modules/@middy/core');
    expect(text).toMatch(/^Copyright \(c\) Middy contributors\n\nPermission is hereby granted/);
  });

  it('have the text of the Apache License once, with the copyright of each package', () => {
    const text = writeLicences([
      readPackage('node_modules/aws-jwt-verify'),
      readPackage('node_modules/@aws-sdk/client-dynamodb'),
    ]);
    expect(text.split('TERMS AND CONDITIONS FOR USE')).toHaveLength(2);
    expect(text).toMatch(
      /^@aws-sdk\/client-dynamodb [\d.]+ \(Apache-2.0\), Copyright 2018-\d+ Amazon.com/m,
    );
  });

  it('have the notice of a package', () => {
    const { text } = readPackage('node_modules/playwright-core');
    expect(text).toContain(readFileSync('node_modules/playwright-core/NOTICE', 'utf8').trim());
  });

  it('refuse a package whose text is nowhere to be had', () => {
    expect(() => readPackage('node_modules/koa-logger/../only')).toThrow('ships no text');
  });
});
