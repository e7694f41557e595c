import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalizeNumber } from '#local/dynamodb/values/decimal.ts';
import { credentials, region } from '../engines/credentials.ts';
import { engines } from '../engines/engines.ts';
import { openTables, type Tables } from '../engines/open-tables.ts';
import { type RandomRequest, randomRequests } from '../engines/random-requests.ts';
import { recordRun } from '../setup/record-run.ts';

/** A history has 20 requests on average: `npm run suite -- engines` sends 50,000, `suite dynamodb` 2,000. */
const runs = Number(process.env.LIKENESS_RUNS ?? 110);
const seed = Number(process.env.LIKENESS_SEED ?? 20_261_115);
/** The long run takes minutes on a quick machine. Only what hangs takes as long as this. */
const longestMs = 45 * 60_000;

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
    const seen = Object(comparable(operation, answer));
    for (const { hide } of allowedDifferences) hide?.(seen, input);
    return seen;
  }
  const codes: string[] = (answer.CancellationReasons ?? []).map(
    ({ Code }: { Code: string }) => Code,
  );
  // The third of the allowed differences.
  if (codes.includes('ValidationError')) return { refused: 'ValidationException', codes: [] };
  return { refused: String(answer.__type).replace(/^.*#/, ''), codes };
}

interface Page {
  ScannedCount?: number;
  LastEvaluatedKey?: object;
  Items?: object[];
}

interface Difference {
  readonly difference: string;
  readonly reason: string;
  readonly hide?: (page: Page, input: RandomRequest['input']) => void;
}

/** Whatever is not listed here must be the same, down to the consumed capacity. */
const allowedDifferences: readonly Difference[] = [
  {
    difference:
      'A page that its limit ends has a LastEvaluatedKey, even at the end of a closed range.',
    reason: 'The service and the embedded table show it. DynamoDB Local looks ahead.',
    hide(page, { Limit }) {
      if (page.ScannedCount === Limit) delete page.LastEvaluatedKey;
    },
  },
  {
    difference: 'Entries of an index with the same key come in another order.',
    reason:
      'DynamoDB promises none. Entries of ById have different keys and are compared in order.',
    hide(page, { IndexName }) {
      if (IndexName === undefined || IndexName === 'ById') return;
      page.Items?.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
    },
  },
  {
    difference: 'An update that does not fit its item cancels its transaction.',
    reason: 'The service and the embedded table do so. DynamoDB Local refuses the whole request.',
  },
  {
    difference: 'Missing items of a batch consume capacity, as does half of an index key.',
    reason: 'The service charges for the first and not for the second. These are not asked for.',
  },
  {
    difference: 'The words of a refusal.',
    reason: 'Callers decide by its type and by the codes of a cancelled transaction.',
  },
];

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

    it(`answer ${runs} random histories of requests alike`, { timeout: longestMs }, async () => {
      const began = performance.now();
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
          await Promise.all(opened.map(({ tables }) => tables.remove(name!)));
        }),
        { numRuns: runs, seed },
      );
      // Histories of refusals alone would show little.
      expect(accepted).toBeGreaterThan(runs * 5);
      expect(refused).toBeGreaterThan(runs);
      const requests = accepted + refused;
      process.stdout.write(`${requests} requests, ${refused} refused by both, seed ${seed}\n`);
      recordRun({
        suite: 'engines',
        tried: [{ unit: 'requests to two engines', tried: requests, survived: requests }],
        figures: [
          `${refused.toLocaleString('en-US')} of them refused by both`,
          `${allowedDifferences.length} allowed differences`,
          `seed ${seed}`,
        ],
        seconds: (performance.now() - began) / 1000,
      });
    });

    it.each([
      ['a filter on an attribute that the index lacks', { FilterExpression: 'n = :n' }],
      [
        'the same if the attribute is asked for',
        { FilterExpression: 'n = :n', Select: 'ALL_ATTRIBUTES' },
      ],
      [
        'a range that begins with nothing',
        { KeyConditionExpression: 'PK = :p AND begins_with(stage, :e)' },
      ],
    ])('both refuse %s', async (_, asked) => {
      const [TableName] = await Promise.all(opened.map(({ tables }) => tables.create()));
      const texts = Object.values(asked).join();
      const input = {
        TableName,
        IndexName: 'ByStage',
        KeyConditionExpression: 'PK = :p',
        ...asked,
        ExpressionAttributeValues: {
          ':p': { S: 'P1' },
          ...(texts.includes(':n') && { ':n': { N: '1' } }),
          ...(texts.includes(':e') && { ':e': { S: '' } }),
        },
      };
      for (const { endpoint } of opened) {
        const answer = await ask(endpoint, { operation: 'Query', input });
        expect(answer).toEqual({ refused: 'ValidationException', codes: [] });
      }
    });
  },
);
