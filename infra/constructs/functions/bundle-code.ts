import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AssetHashType } from 'aws-cdk-lib';
import { Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * A file under functions/ as the one file that Lambda loads. Built in this process: the CDK's own
 * function for Node.js starts npm for each, which takes most of a second.
 */
export function bundleCode(file: string): Code {
  const entry = join(root, 'functions', `${file}.ts`);
  if (!existsSync(entry)) throw new Error(`There is no function in ${entry}.`);
  return Code.fromAsset(root, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never run: it is what the CDK would use if the local way below gave up.
      image: Runtime.NODEJS_24_X.bundlingImage,
      // The CDK tells assets of one folder apart by this.
      command: [file],
      local: {
        tryBundle(directory) {
          build(entry, directory);
          return true;
        },
      },
    },
  });
}

function build(entry: string, directory: string): void {
  buildSync({
    ...bundleOptions,
    mainFields: [...bundleOptions.mainFields],
    external: [...bundleOptions.external],
    entryPoints: [entry],
    outfile: join(directory, 'index.js'),
    absWorkingDir: root,
    logLevel: 'warning',
  });
}
