import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';

const root = join(import.meta.dirname, '../..');

export interface ApiFunctionProps {
  /** The file under functions/, without its ending. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** One function: CommonJS, because an ES module costs a cold start 30 ms (docs/decisions/0004). */
export class ApiFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, { file, environment }: ApiFunctionProps) {
    super(scope, id, {
      entry: join(root, 'functions', `${file}.ts`),
      handler: 'handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(10),
      environment: { ...dropUndefined(environment), NODE_OPTIONS: '--enable-source-maps' },
      projectRoot: root,
      depsLockFilePath: join(root, 'package-lock.json'),
      bundling: {
        format: OutputFormat.CJS,
        target: 'node24',
        mainFields: ['module', 'main'],
        bundleAwsSDK: true,
        minify: true,
        sourceMap: true,
        sourcesContent: false,
      },
    });
  }
}

function dropUndefined(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
