import { beforeAll, expect, it } from 'vitest';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

onEveryEngine('pages on $name', ({ name, start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeAll(async () => {
    TableName = await tables.create();
    // 25 items of 100,000 bytes each, keys and names included.
    for (let n = 0; n < 25; n += 1) {
      const item = { PK: 'LARGE', SK: String(n).padStart(3, '0'), id: n, odd: n % 2 };
      const used =
        'PKLARGESK000id'.length + 'odd'.length + 'text'.length + 2 * 2 - (n === 0 ? 1 : 0);
      const text = 'x'.repeat(100_000 - used - (n % 2 === 0 ? 0 : 1));
      await tables.documents.put({ TableName, Item: { ...item, text } });
    }
  });

  const readPages = async (more: object) => {
    const pages: { count: number | undefined; scanned: number | undefined }[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await tables.documents.query({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'PK = :large',
        ...more,
        ExpressionAttributeValues: { ':large': 'LARGE', ...Object(more).ExpressionAttributeValues },
        ExclusiveStartKey,
      });
      pages.push({ count: page.Count, scanned: page.ScannedCount });
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey && pages.length < 10);
    return pages;
  };
  const odd = { FilterExpression: 'odd = :one', ExpressionAttributeValues: { ':one': 1 } };

  it('end with the item that fills a megabyte', async () => {
    expect(await readPages({})).toEqual([
      { count: 11, scanned: 11 },
      { count: 11, scanned: 11 },
      { count: 3, scanned: 3 },
    ]);
  });

  it('are as long in an index, and turned around', async () => {
    const pages = [11, 11, 3].map((count) => ({ count, scanned: count }));
    expect(await readPages({ IndexName: 'ById' })).toEqual(pages);
    expect(await readPages({ IndexName: 'ById', ScanIndexForward: false })).toEqual(pages);
  });

  // DynamoDB Local fills a megabyte with what the filter lets through; the service, by its
  // documentation, with what was read.
  it.runIf(name === 'embedded')(
    'are filtered after they were read, and projected after that',
    async () => {
      const filtered = [
        { count: 5, scanned: 11 },
        { count: 6, scanned: 11 },
        { count: 1, scanned: 3 },
      ];
      expect(await readPages(odd)).toEqual(filtered);
      expect(await readPages({ ...odd, ProjectionExpression: 'id' })).toEqual(filtered);
    },
  );

  it('count before they filter where there is a limit', async () => {
    const pages = await readPages({ ...odd, Limit: 10 });
    expect(pages.map(({ scanned }) => scanned)).toEqual([10, 10, 5]);
    expect(pages.map(({ count }) => count)).toEqual([5, 5, 2]);
  });
});
