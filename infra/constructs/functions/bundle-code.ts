import { join } from 'node:path';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';
import { bundleOptions, functionEntry, putReferenceBeside } from './bundle-options.ts';
import type { BundledParts } from './stand-ins.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Bundles a function into one file. Runs esbuild in this process, because the CDK's NodejsFunction
 * starts npm for each function, which takes most of a second.
 */
export function bundleCode({ file, ...parts }: BundledParts & { readonly file: string }): Code {
  const entry = functionEntry(file);
  return Code.fromAsset(root, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Required by the CDK, but never used because the local build always succeeds.
      image: Runtime.NODEJS_24_X.bundlingImage,
      // Distinguishes the assets, which all have the same source folder.
      command: [file],
      local: {
        tryBundle(directory) {
          build(entry, directory, bundleOptions(parts));
          return true;
        },
      },
    },
  });
}

function build(
  entry: ReturnType<typeof functionEntry>,
  directory: string,
  options: BuildOptions,
): void {
  const outfile = join(directory, 'index.js');
  const { metafile } = buildSync({
    ...options,
    ...entry,
    outfile,
    metafile: true,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  putReferenceBeside(outfile, metafile);
}
