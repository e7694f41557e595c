import { openRemoteFiles } from '#lib/files/results/open-file-source.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import type { Connector } from '#lib/hpc/connector.ts';
import { createNsgConnector } from '#lib/hpc/nsg/nsg-connector.ts';
import { createUnicoreConnector } from '#lib/hpc/unicore/unicore-connector.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { appkey } from '#test/upstreams/nsg-server.ts';
import { credentials, inputKey } from './place.ts';

/**
 * Makes one transfer and nothing else, so that this process needs the memory that a function needs.
 */
const [, , kind, direction, baseUrl = '', endpoint = ''] = process.argv;

const { inputs, results } = openJobFiles({
  AWS_REGION: credentials.region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_ENDPOINT_URL_S3: endpoint,
  INPUTS_BUCKET: 'inputs',
  RESULTS_BUCKET: 'results',
});

function connect(): Connector {
  const secret = { token: 'x', username: 'registrant', password: 'x', appkey };
  const options = {
    baseUrl,
    credentials: { read: async () => secret, forget: () => undefined },
  };
  const endUsers = { emailDomain: 'slipway.example', institution: 'Slipway', country: 'DE' };
  return kind === 'nsg'
    ? createNsgConnector({ ...options, endUsers })
    : createUnicoreConnector(options);
}

async function sendInput(): Promise<void> {
  await connect().submit({
    jobId: jobId('A-1'),
    owner: userId('42'),
    program: 'PY_EXPANSE',
    nodes: 1,
    coresPerNode: 1,
    hours: 1,
    title: 'large',
    extras: {},
    input: { fileName: 'in.zip', address: '', open: () => inputs.open(inputKey) },
  });
}

async function fetchResult(): Promise<void> {
  const job = { jobId: jobId('A-1'), owner: userId('42'), handle: '1', ended: true };
  const { table } = await openInProcessTable('slipway-memory');
  const files = openRemoteFiles(async () => connect(), job, { table, results });
  const [file] = await files.list();
  const fetched = await files.fetch(file?.id ?? '');
  if (fetched.kind !== 'address') throw new Error('The result was not passed on.');
}

const before = process.memoryUsage.rss();
const began = performance.now();
await (direction === 'in' ? sendInput() : fetchResult());
const seconds = (performance.now() - began) / 1000;
// The peak, as the operating system counts it.
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(`${JSON.stringify({ before, peak, seconds })}\n`);
process.exit();
