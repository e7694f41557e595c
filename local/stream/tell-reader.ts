import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as v from 'valibot';

/** What a function says that does not fail as a whole. */
const Answer = v.object({
  batchItemFailures: v.array(v.object({ itemIdentifier: v.string() })),
});

/** Tells a function of these; after a failure, as AWS does, from the first one on that it named. */
export function tellReader(
  handler: (event: DynamoDBStreamEvent) => Promise<unknown>,
  records: readonly DynamoDBRecord[],
): () => Promise<void> {
  let left = records;
  return async () => {
    const answer = v.safeParse(Answer, await handler({ Records: [...left] }));
    const failures = answer.success ? answer.output.batchItemFailures : [];
    if (failures.length === 0) return;
    const places = failures.map(({ itemIdentifier }) => findPlace(left, itemIdentifier));
    left = left.slice(Math.min(...places));
    throw new Error(`${left.length} changes are to be told again.`);
  };
}

/** An identifier that nobody knows stands for the whole batch. */
function findPlace(records: readonly DynamoDBRecord[], itemIdentifier: string): number {
  const place = records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier);
  return Math.max(0, place);
}
