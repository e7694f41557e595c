import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#functions/routes.ts';
import { bundleCode } from '#infra/constructs/functions/bundle-code.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { flags, type Resource } from '../infra/synthesize.ts';

describe('the assets for sam local', () => {
  let directory: string;
  let assembly: CloudAssembly;
  // Two of them: to build all takes long, and `npm run synth` does so.
  const built = [routes['list-systems'].file, 'fallback'];
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'slipway-sam-'));
    const app = new App({
      outdir: directory,
      context: { ...flags, 'aws:cdk:enable-asset-metadata': true },
    });
    const stack = new Stack(app, 'functions');
    for (const file of built) {
      new LambdaFunction(stack, file, {
        runtime: Runtime.NODEJS_24_X,
        handler: 'index.handler',
        code: bundleCode({ file, catalog }),
      });
    }
    assembly = app.synth();
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('are the built bundles, each where the template says', () => {
    const { Resources } = assembly.getStackByName('functions').template;
    const metadata = Object.values<Resource>(Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Metadata }) => Metadata);
    for (const each of metadata) {
      expect(each).toMatchObject({
        'aws:asset:path': expect.stringMatching(/^asset\.[0-9a-f]{64}$/),
        'aws:asset:property': 'Code',
      });
      const file = join(directory, String(each?.['aws:asset:path']), 'index.js');
      expect(existsSync(file)).toBe(true);
    }
    const paths = metadata.map((each) => each?.['aws:asset:path']);
    expect(new Set(paths).size).toBe(built.length);
  });
});
