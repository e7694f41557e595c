import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { JwtVerifier } from 'aws-jwt-verify';
import { FilesEnvironment, IdentityEnvironment, readEnvironment } from '#lib/config.ts';
import { createSigner } from '#lib/files/storage/storage-address.ts';
import type { RecordedCall } from './recorder.ts';

/**
 * Does the least any function must: verifies a token, makes its calls, writes the results as text.
 */
const { ISSUER: issuer, AUDIENCE: audience, JWKS = '' } = readEnvironment(IdentityEnvironment);
const verifier = JwtVerifier.create({ issuer, audience, jwksUri: 'https://unused.example' });
verifier.cacheJwks(JSON.parse(JWKS));

const files = readEnvironment(FilesEnvironment);
const signer = createSigner(files);
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

type Send = () => Promise<unknown>;

export async function handler(token: string, sends: readonly Send[]) {
  await verifier.verify(token);
  const results: unknown[] = [];
  for (const send of sends) results.push(await send());
  return { statusCode: 200, body: JSON.stringify(results) };
}

/** Prepares a recorded call for the SDK. */
export function prepareCall({ operation, method, path, body }: RecordedCall): Send {
  if (operation === undefined) return () => callStorage(method, path, Buffer.from(body, 'latin1'));
  const input = JSON.parse(body, readMarshalled);
  switch (operation) {
    case 'GetItem':
      return () => client.send(new GetCommand(input));
    case 'Query':
      return () => client.send(new QueryCommand(input));
    case 'UpdateItem':
      return () => client.send(new UpdateCommand(input));
    case 'TransactWriteItems':
      return () => client.send(new TransactWriteCommand(input));
    default:
      throw new Error(`The bare handler cannot repeat ${operation} yet.`);
  }
}

const marshalled = new Set(['Key', 'Item', 'ExpressionAttributeValues']);

function readMarshalled(name: string, value: Parameters<typeof unmarshall>[0]): unknown {
  // The SDK generates a new one for each call.
  if (name === 'ClientRequestToken') return undefined;
  return marshalled.has(name) ? unmarshall(value) : value;
}

async function callStorage(method: string, path: string, body: Buffer) {
  const { protocol, hostname, host, origin } = new URL(files.AWS_ENDPOINT_URL_S3 ?? '');
  const unsigned = { method, protocol, hostname, path, headers: { host }, query: {}, body };
  const { headers } = await signer.sign(unsigned);
  const { host: _, ...sent } = headers;
  const response = await fetch(`${origin}${path}`, { method, headers: sent, body });
  if (!response.ok) throw new Error(`The storage answered with ${response.status}.`);
  return (await response.arrayBuffer()).byteLength;
}
