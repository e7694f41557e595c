import { join } from 'node:path';
import { build } from 'esbuild';

/** What the cold start of a function is compared with: an ES module that does one thing. */
const source = `
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
const client = new DynamoDBClient({});
export const handler = () =>
  client.send(new GetItemCommand({ TableName: 'slipway', Key: { pk: { S: 'a' } } }));
`;

/** The DynamoDB client and one GetItem, as esbuild bundles them when nobody tells it more. */
export async function buildBaseline(directory: string): Promise<string> {
  const file = join(directory, 'baseline.mjs');
  await build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    mainFields: ['module', 'main'],
    minify: true,
    // What of the SDK is CommonJS still asks for Node's modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    outfile: file,
    logLevel: 'warning',
  });
  return file;
}
