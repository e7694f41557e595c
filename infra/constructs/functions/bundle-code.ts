import { join } from 'node:path';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';
import { bundleOptions, functionEntry, putReferenceBeside } from './bundle-options.ts';
import type { BundledParts } from './stand-ins.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * A function as the one file that Lambda loads. Built in this process: the CDK's own
 * function for Node.js starts npm for each, which takes most of a second.
 */
export function bundleCode({ file, ...parts }: BundledParts & { readonly file: string }): Code {
  const entry = functionEntry(file);
  return Code.fromAsset(root, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run: it is what the CDK would use if the local way below gave up.
      image: Runtime.NODEJS_24_X.bundlingImage,
      // The CDK tells assets of one folder apart by this.
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
