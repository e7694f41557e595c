import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lambdaContext } from '#test/fixtures/api-event.ts';
import type { Compared, Comparison, RecordedCall } from './recorder.ts';

/**
 * Runs in its own process: calls a built function and the bare handler in turn, one request after
 * the other, and records the processor time of both. The table runs in another process.
 */
const rounds = 15;
const perRound = 30;
const warmUp = 120;

const [, , file = ''] = process.argv;
const comparison: Comparison = JSON.parse(readFileSync(file, 'utf8'));
const { event, token, calls, resultFile } = comparison;
const require = createRequire(import.meta.url);
const chain = require(comparison.chainFile);
const bare = require(comparison.bareFile);

async function callChain(count: number): Promise<number> {
  const events = Array.from({ length: count }, () => structuredClone(event));
  const start = process.cpuUsage();
  for (const each of events) expectSuccess(await chain.handler(each, { ...lambdaContext }));
  return millisecondsEach(start, count);
}

async function callBare(count: number): Promise<number> {
  const prepared = Array.from({ length: count }, () => renewIds(calls).map(bare.prepareCall));
  const start = process.cpuUsage();
  for (const each of prepared) expectSuccess(await bare.handler(token, each));
  return millisecondsEach(start, count);
}

const uuid = /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/;

/** A job cannot be written twice, so each repetition gets a new id of the same length. */
function renewIds(recorded: readonly RecordedCall[]): RecordedCall[] {
  const text = JSON.stringify(recorded);
  const put = recorded.some(({ operation }) => operation === 'TransactWriteItems');
  const [id] = (put && uuid.exec(text)) || [];
  return JSON.parse(id === undefined ? text : text.replaceAll(id, randomUUID().toUpperCase()));
}

function expectSuccess({ statusCode, body }: { statusCode: number; body: string }): void {
  if (statusCode >= 300) throw new Error(`${statusCode} ${body}`);
}

function millisecondsEach(start: NodeJS.CpuUsage, count: number): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / count;
}

await callChain(warmUp);
await callBare(warmUp);
const compared: { [Name in keyof Compared]: number[] } = { chain: [], bare: [] };
for (let round = 0; round < rounds; round += 1) {
  compared.chain.push(await callChain(perRound));
  compared.bare.push(await callBare(perRound));
}
writeFileSync(resultFile, JSON.stringify(compared));
process.exit(0);
