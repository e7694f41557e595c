import { Json } from '#local/dynamodb/operations/answer.ts';
import { ServiceError } from '#local/dynamodb/values/errors.ts';
import type { Fault, TableCall } from './fault.ts';

const writes = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

class LateError extends Error {
  override readonly name = 'TimeoutError';
}

/** Lists the faults of the table. Each meets a share of all calls, by the numbers of a seed. */
export function listTableFaults(random: () => number): Fault[] {
  const sometimes = (share: number) => random() < share;
  const throttled = () => new ServiceError('ThrottlingException', 'Rate exceeded.');
  return [
    {
      name: 'table: half of all calls are throttled',
      async table({ request }, send) {
        if (sometimes(0.5)) throw throttled();
        return send(request);
      },
    },
    {
      name: 'table: transactions meet others',
      lasts: true,
      async table({ name, request }, send) {
        if (name === 'TransactWriteItems' && sometimes(0.6)) throw conflict(request);
        return send(request);
      },
    },
    {
      name: 'table: calls time out, half of them after their effect',
      leavesSeconds: leaseSeconds,
      async table({ request }, send) {
        if (sometimes(0.1)) throw new LateError('too late');
        const answer = await send(request);
        if (sometimes(0.1)) throw new LateError('too late');
        return answer;
      },
    },
    {
      name: 'table: answers are partial',
      lasts: true,
      async table({ name, request }, send) {
        if (name === 'BatchGetItem') return leaveOut(request, send, random);
        // A page of a query may always end early.
        if (name === 'Query') return send({ ...request, Limit: Math.min(2, limitOf(request)) });
        return send(request);
      },
    },
    {
      name: 'table: away',
      leavesSeconds: leaseSeconds,
      async table() {
        throw new LateError('too late');
      },
    },
    {
      name: 'table: reads, but does not write',
      leavesSeconds: leaseSeconds,
      async table({ name, request }, send) {
        if (writes.test(name)) throw new ServiceError('InternalServerError', '', { status: 500 });
        return send(request);
      },
    },
  ];
}

/** A hand-over that is cut off keeps its job for as long as its process could have lived. */
export const leaseSeconds = 310;

function limitOf({ Limit }: TableCall['request']): number {
  return typeof Limit === 'number' ? Limit : Number.POSITIVE_INFINITY;
}

function conflict({ TransactItems }: TableCall['request']): ServiceError {
  const count = Array.isArray(TransactItems) ? TransactItems.length : 1;
  return new ServiceError('TransactionCanceledException', 'Transaction cancelled', {
    CancellationReasons: Array.from({ length: count }, (_, place) => ({
      Code: place === 0 ? 'TransactionConflict' : 'None',
    })),
  });
}

interface Asked {
  readonly Keys: readonly object[];
}

/** Answers only some of the keys, and says which ones are missing. */
async function leaveOut(
  request: TableCall['request'],
  send: (request: TableCall['request']) => Promise<Record<string, unknown>>,
  random: () => number,
): Promise<Record<string, unknown>> {
  const asked: [string, Asked][] = Object.entries(Object(request.RequestItems));
  const split = asked.map(([table, { Keys, ...rest }]) => {
    const [first, ...others] = Keys;
    const answered = [first, ...others.filter(() => random() < 0.5)].filter((key) => key);
    const left = Keys.filter((key) => !answered.includes(key));
    return { table, rest, answered, left };
  });
  const RequestItems = split.map(({ table, rest, answered }) => [
    table,
    { ...rest, Keys: answered },
  ]);
  const missing = split
    .filter(({ left }) => left.length > 0)
    .map(({ table, rest, left }) => [
      table,
      { ...rest, Keys: left.map((key) => new Json(JSON.stringify(key))) },
    ]);
  const answer = await send({ ...request, RequestItems: Object.fromEntries(RequestItems) });
  return { ...answer, UnprocessedKeys: Object.fromEntries(missing) };
}
