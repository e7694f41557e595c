import dynalite from 'dynalite/db/index.js';
import type { Result } from '../dynalite/dynalite-operations.ts';
import { itemReads, parseRequest, runAction } from '../dynalite/dynalite-operations.ts';
import type { Engine } from '../engine/engine.ts';
import { readSnapshot } from '../engine/snapshot-reads.ts';
import { costOfFetch, reportCapacity } from '../operations/consumed-capacity.ts';
import type { CancellationReason } from './cancelled-transaction.ts';
import { explainRefusal, refuseCancelled, refuseRepeatedItems } from './cancelled-transaction.ts';
import type { TransactGetRequest } from './transaction-shapes.ts';
import { transactGetShape } from './transaction-shapes.ts';

export async function transactGetItems({ store }: Engine, body: unknown): Promise<Result> {
  const { TransactItems, ReturnConsumedCapacity } = parseRequest<TransactGetRequest>(
    store,
    transactGetShape,
    body,
  );
  const requests = TransactItems.map(({ Get }) => Get);
  for (const request of requests) {
    const problem = itemReads.GetItem.custom?.(request, store);
    if (problem) throw dynalite.validationError(problem);
  }
  const reads = readSnapshot(store);
  try {
    const reasons: CancellationReason[] = [];
    const Responses: Result[] = [];
    for (const request of requests) {
      await runAction(itemReads.GetItem, reads.view, request).then(
        (result) => {
          Responses.push(result);
          reasons.push({ Code: 'None' });
        },
        (error) => reasons.push(explainRefusal(error, undefined)),
      );
    }
    refuseRepeatedItems(reads.fetched.map(({ table, key }) => `${table}~${key}`));
    refuseCancelled(reasons);
    const ConsumedCapacity = reportCapacity(ReturnConsumedCapacity, () =>
      reads.fetched.map(({ table, item }) => costOfFetch(table, item, 2)),
    );
    return { Responses, ...(ConsumedCapacity.length > 0 && { ConsumedCapacity }) };
  } finally {
    await reads.close();
  }
}
