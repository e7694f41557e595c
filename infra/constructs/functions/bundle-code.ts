import { join } from 'node:path';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { functionBuild, putFilesBeside, root } from './bundle-options.ts';
import type { BundledParts } from './stand-ins.ts';

/**
 * Bundles a function into one file. Runs esbuild in this process, because the CDK's NodejsFunction
 * starts npm for each function, which takes most of a second.
 */
export function bundleCode({ file, ...parts }: BundledParts & { readonly file: string }): Code {
  return Code.fromAsset(root, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the CDK, but never used because the local build always succeeds.
      image: Runtime.NODEJS_24_X.bundlingImage,
      // Distinguishes the assets, which all have the same source folder.
      command: [file],
      local: {
        tryBundle(directory) {
          const outfile = join(directory, 'index.js');
          const { metafile } = buildSync(functionBuild(file, outfile, parts));
          putFilesBeside(outfile, metafile, parts);
          return true;
        },
      },
    },
  });
}
