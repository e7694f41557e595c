import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleOptions } from '#infra/constructs/functions/bundle-options.ts';
import { EventStreamSerde, eventStreamSerdeProvider } from '#lib/stand-ins/event-streams.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import * as whole from '../fixtures/bundled-sdk.ts';

/**
 * The SDK as it is bundled, with its stand-ins, beside the SDK as it was published: what a deployed
 * function would send, and what it makes of the answers. Nothing goes over a network.
 */
const directory = mkdtempSync(join(tmpdir(), 'slipway-sdk-'));
const source = join(import.meta.dirname, '../fixtures/bundled-sdk.ts');

/** Loaded from a bundle that begins as a function's does. */
async function loadBundle(contents: string): Promise<typeof whole> {
  const outfile = join(directory, 'index.js');
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  await build({ ...bundleOptions({ catalog }), stdin, outfile, logLevel: 'silent' });
  return createRequire(import.meta.url)(outfile);
}

const prepareStackTrace = Error.prepareStackTrace;
let bundled: typeof whole;
beforeAll(async () => {
  const entry = `import '#lib/telemetry/map-stacks.ts';\nexport * from '${source}';`;
  bundled = await loadBundle(entry);
});
afterAll(() => {
  Error.prepareStackTrace = prepareStackTrace;
  rmSync(directory, { recursive: true });
});

/** The environment of a deployed function: it has no AWS_ENDPOINT_URL. */
const environment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'a secret',
  AWS_SESSION_TOKEN: 'a session',
};
beforeEach(() => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const name of ['', '_DYNAMODB', '_EVENTBRIDGE', '_SECRETS_MANAGER']) {
    vi.stubEnv(`AWS_ENDPOINT_URL${name}`, undefined);
  }
  vi.stubEnv('AWS_PROFILE', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

interface Sent {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

type Answer = readonly [status: number, body: object];

/** Writes down requests and gives the answers in turn, the last one for good. */
function recordRequests(...answers: readonly Answer[]) {
  const sent: Sent[] = [];
  const handle = async (request: Sent) => {
    const [statusCode, body] = answers[Math.min(sent.length, answers.length - 1)] ?? [200, {}];
    sent.push(request);
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return { response: { statusCode, headers, body: Readable.from([JSON.stringify(body)]) } };
  };
  return { sent, requestHandler: { handle } };
}

const key = { TableName: 'slipway', Key: { PK: { S: 'a' } } };

async function getItem(sdk: typeof whole, ...answers: Answer[]) {
  const { sent, requestHandler } = recordRequests(...answers);
  const client = new sdk.DynamoDBClient({ requestHandler, maxAttempts: 3 });
  return { output: await client.send(new sdk.GetItemCommand(key)), sent };
}

const now = new Date('2026-11-15T08:30:00Z');

/** Without what is new at each request, or names the form in which the SDK was published. */
function comparable([request]: readonly Sent[]) {
  const { headers = {}, body, method, hostname } = request ?? {};
  const made = ['amz-sdk-invocation-id', 'authorization', 'user-agent', 'x-amz-user-agent'];
  const same = Object.entries(headers).filter(([name]) => !made.includes(name));
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  return { method, hostname, text, headers: Object.fromEntries(same) };
}

describe('a bundled client', () => {
  it.each([
    { region: 'eu-central-1', host: 'dynamodb.eu-central-1.amazonaws.com' },
    { region: 'us-east-1', host: 'dynamodb.us-east-1.amazonaws.com' },
    { region: 'us-gov-west-1', host: 'dynamodb.us-gov-west-1.amazonaws.com' },
    { region: 'cn-north-1', host: 'dynamodb.cn-north-1.amazonaws.com.cn' },
    { region: 'eusc-de-east-1', host: 'dynamodb.eusc-de-east-1.amazonaws.eu' },
  ])('asks $host in $region', async ({ region, host }) => {
    vi.stubEnv('AWS_REGION', region);
    const { sent } = await getItem(bundled);
    expect(sent).toMatchObject([{ protocol: 'https:', hostname: host, path: '/' }]);
    expect(sent[0]?.headers.authorization).toContain(`/${region}/dynamodb/aws4_request`);
  });

  it('asks where AWS_ENDPOINT_URL_DYNAMODB says', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', 'http://127.0.0.1:8000');
    const { sent } = await getItem(bundled);
    expect(sent).toMatchObject([{ protocol: 'http:', hostname: '127.0.0.1', port: 8000 }]);
  });

  it('sends what the published one sends', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    const [ours, theirs] = [await getItem(bundled), await getItem(whole)];
    expect(comparable(ours.sent)).toEqual(comparable(theirs.sent));
    expect(ours.sent[0]?.headers['x-amz-security-token']).toBe('a session');
  });

  it('signs as the published signer does', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    const [request] = (await getItem(bundled)).sent;
    const { authorization, ...headers } = request?.headers ?? {};
    const { 'x-amz-security-token': _, ...unsigned } = headers;
    const signer = new SignatureV4({
      service: 'dynamodb',
      region: environment.AWS_REGION,
      credentials: {
        accessKeyId: environment.AWS_ACCESS_KEY_ID,
        secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
        sessionToken: environment.AWS_SESSION_TOKEN,
      },
      sha256: Sha256,
    });
    const signed = await signer.sign({ ...request!, query: {}, headers: unsigned });
    expect(authorization).toMatch(/Signature=[0-9a-f]{64}$/);
    expect(authorization).toBe(signed.headers.authorization);
  });

  it('looks for credentials in the environment alone', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    await expect(getItem(bundled)).rejects.toThrow(
      'Unable to find environment variable credentials.',
    );
  });

  it('reads items', async () => {
    const Item = { PK: { S: 'a' }, many: { L: [{ N: '1' }, { BOOL: true }, { M: {} }] } };
    expect((await getItem(bundled, [200, { Item }])).output.Item).toEqual(Item);
  });
});

describe('a bundled client whose request fails', () => {
  const refusal = (name: string, rest = {}) => ({
    __type: `com.amazonaws.dynamodb.v20120810#${name}`,
    message: 'no',
    ...rest,
  });

  it.each([
    { failure: 'throttling', answer: [400, refusal('ProvisionedThroughputExceededException')] },
    { failure: 'throttling of the account', answer: [400, refusal('ThrottlingException')] },
    { failure: 'a fault of the table', answer: [500, refusal('InternalServerError')] },
    { failure: 'an answer of no table', answer: [503, {}] },
  ] as const)('asks again after $failure', async ({ answer }) => {
    const { sent, output } = await getItem(bundled, answer, [200, { Item: { PK: { S: 'a' } } }]);
    expect(sent).toHaveLength(2);
    expect(output.Item).toEqual({ PK: { S: 'a' } });
  });

  it('gives up after three attempts, with the name of the failure', async () => {
    const throttled = refusal('ProvisionedThroughputExceededException');
    await expect(getItem(bundled, [400, throttled])).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      $metadata: { attempts: 3 },
    });
  });

  it('says why a condition failed', async () => {
    const { requestHandler } = recordRequests([
      400,
      refusal('ConditionalCheckFailedException', { Item: { PK: { S: 'old' } } }),
    ]);
    const client = new bundled.DynamoDBClient({ requestHandler });
    const put = new bundled.PutItemCommand({ TableName: 'slipway', Item: { PK: { S: 'a' } } });
    await expect(client.send(put)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      $fault: 'client',
      Item: { PK: { S: 'old' } },
    });
  });
});

describe('the other bundled clients', () => {
  it('put events', async () => {
    const { sent, requestHandler } = recordRequests([200, { Entries: [{ EventId: '1' }] }]);
    const client = new bundled.EventBridgeClient({ requestHandler });
    const { Entries } = await client.send(new bundled.PutEventsCommand({ Entries: [] }));
    expect(Entries).toEqual([{ EventId: '1' }]);
    expect(sent).toMatchObject([{ hostname: 'events.eu-central-1.amazonaws.com' }]);
  });

  it('read secrets', async () => {
    const { sent, requestHandler } = recordRequests([200, { SecretString: '{}' }]);
    const client = new bundled.SecretsManagerClient({ requestHandler });
    const secret = await client.send(new bundled.GetSecretValueCommand({ SecretId: 'a' }));
    expect(secret.SecretString).toBe('{}');
    expect(sent).toMatchObject([{ hostname: 'secretsmanager.eu-central-1.amazonaws.com' }]);
  });
});

describe('what is left out', () => {
  it('says so where it is needed after all', () => {
    expect(() => new EventStreamSerde()).toThrow('left out of the bundles');
    expect(eventStreamSerdeProvider).toThrow('left out of the bundles');
  });

  it.each([
    { name: 'Crc32', from: '@smithy/core/checksum' },
    { name: 'fromIni', from: '@aws-sdk/credential-provider-node' },
    { name: 'getEndpointDiscoveryPlugin', from: '@aws-sdk/middleware-endpoint-discovery' },
  ])('does not build where the SDK asks for it: $name', async ({ name, from }) => {
    const contents = `import { ${name} } from '${from}';\nexport const needed = ${name};`;
    await expect(loadBundle(contents)).rejects.toThrow(`"${name}"`);
  });
});

describe('a stack of a bundle', () => {
  it('names the sources', () => {
    const message = expect.stringMatching(/on purpose\n {4}at .*fixtures\/bundled-sdk\.ts:7:9/);
    expect(stackOf(bundled.failHere)).toEqual(message);
  });
});

function stackOf(fail: () => never): string | undefined {
  try {
    return fail();
  } catch (error) {
    return error instanceof Error ? error.stack : undefined;
  }
}
