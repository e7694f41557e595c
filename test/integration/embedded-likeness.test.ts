import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalizeNumber } from '#local/dynamodb/values/decimal.ts';
import { credentials, region } from '../engines/credentials.ts';
import { engines } from '../engines/engines.ts';
import { openTables, type Tables } from '../engines/open-tables.ts';
import { type RandomRequest, randomRequests } from '../engines/random-requests.ts';

const runs = Number(process.env.LIKENESS_RUNS ?? 40);
const seed = Number(process.env.LIKENESS_SEED ?? 20_261_115);

/** Past the SDK, which would refuse some of it before an engine sees it. */
async function ask(endpoint: string, { operation, input }: RandomRequest): Promise<unknown> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      authorization:
        `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/dynamodb/aws4_request, ` +
        'SignedHeaders=host, Signature=none',
    },
    body: JSON.stringify(input),
  });
  const answer = JSON.parse(await response.text());
  if (response.ok) {
    // A page that its limit ends shows its end in the service and here, also where nothing follows.
    if (answer.ScannedCount === input.Limit) delete answer.LastEvaluatedKey;
    return comparable(operation, answer);
  }
  const refused = String(answer.__type).replace(/^.*#/, '');
  const codes: string[] = (answer.CancellationReasons ?? []).map(
    ({ Code }: { Code: string }) => Code,
  );
  // Where an update does not fit its item, DynamoDB Local refuses the request; the service, and the
  // embedded table, cancel the transaction.
  if (codes.includes('ValidationError')) return { refused: 'ValidationException', codes: [] };
  return { refused, codes };
}

/** Without what says nothing: the order of a set or of a batch, and how a number is written. */
function comparable(name: string, value: unknown): unknown {
  if (name === 'N') return normalizeNumber(String(value));
  if (Array.isArray(value)) {
    const members = value.map((each) => comparable(name === 'NS' ? 'N' : '', each));
    return /^[SNB]S$/.test(name) ? members.sort() : members;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([member, each]): [string, unknown] => [
        member,
        member === 'Responses' ? sortBatches(each) : comparable(member, each),
      ])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function sortBatches(responses: Record<string, unknown[]>): unknown {
  return Object.values(responses).map((items) =>
    items.map((item) => JSON.stringify(comparable('', item))).sort(),
  );
}

describe.runIf(engines.every(({ available }) => available))(
  'the embedded table and DynamoDB Local',
  () => {
    const opened: { endpoint: string; tables: Tables; close(): Promise<void> }[] = [];
    beforeAll(async () => {
      for (const engine of engines) {
        const { endpoint, close } = await engine.start();
        opened.push({ endpoint, tables: openTables(endpoint), close });
      }
    });
    afterAll(async () => {
      for (const { tables, close } of opened) {
        tables.destroy();
        await close();
      }
    });

    it(`answer ${runs} random histories of requests alike`, async () => {
      let accepted = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(randomRequests, async (makers) => {
          const [name] = await Promise.all(opened.map(({ tables }) => tables.create()));
          for (const request of makers.map((make) => make(name!))) {
            const [one, other] = await Promise.all(
              opened.map(({ endpoint }) => ask(endpoint, request)),
            );
            expect(one, JSON.stringify(request)).toEqual(other);
            if (Object.hasOwn(Object(one), 'refused')) refused += 1;
            else accepted += 1;
          }
        }),
        { numRuns: runs, seed },
      );
      // Histories of refusals alone would show little.
      expect(accepted).toBeGreaterThan(runs * 5);
      expect(refused).toBeGreaterThan(runs);
    });
  },
);
