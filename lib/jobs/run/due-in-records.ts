import type { DynamoDBRecord } from 'aws-lambda';
import { readImage } from '#lib/table/read-image.ts';
import { type DueKey, dueFromItem } from '#lib/table/reads/due-index.ts';
import { isDueLife, ownerOfLife } from '../life/job-life-item.ts';

/** The jobs that are due by what the table's stream says, by system. */
export function dueInRecords(
  records: readonly DynamoDBRecord[],
  now: Date,
): ReadonlyMap<string, readonly DueKey[]> {
  const due = records.flatMap(({ dynamodb }) => {
    const life = dynamodb?.NewImage && readImage(dynamodb.NewImage);
    return life && isDueLife(life, now) ? [life] : [];
  });
  return new Map(
    Object.entries(Object.groupBy(due, (life) => ownerOfLife(life).account.hpc)).map(
      ([hpc, lives = []]) => [hpc, lives.map(dueFromItem)],
    ),
  );
}
