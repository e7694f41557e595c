import type { Level, Store } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';
import describeShape from 'dynalite/validations/describeTimeToLive.js';
import type { Result, Shape } from '../dynalite/dynalite-operations.ts';
import { parseRequest } from '../dynalite/dynalite-operations.ts';
import type { Engine } from '../engine/engine.ts';
import { endOf, timeToLivePrefix } from '../engine/key-layout.ts';

interface UpdateRequest {
  TableName: string;
  TimeToLiveSpecification: { AttributeName: string; Enabled: boolean };
}

const updateShape: Shape = {
  types: {
    ...describeShape.types,
    TimeToLiveSpecification: {
      type: 'FieldStruct<TimeToLiveSpecification>',
      notNull: true,
      children: {
        AttributeName: {
          type: 'String',
          notNull: true,
          lengthGreaterThanOrEqual: 1,
          lengthLessThanOrEqual: 255,
        },
        Enabled: { type: 'Boolean', notNull: true },
      },
    },
  },
};

export async function updateTimeToLive({ store, queue }: Engine, body: unknown): Promise<Result> {
  const { TableName, TimeToLiveSpecification } = parseRequest<UpdateRequest>(
    store,
    updateShape,
    body,
  );
  const { AttributeName, Enabled } = TimeToLiveSpecification;
  return queue.run(async () => {
    await requireTable(store, TableName);
    const key = timeToLivePrefix + TableName;
    const current = store.db.getSync<string>(key);
    if (!Enabled && current === undefined) {
      throw dynalite.validationError('TimeToLive is already disabled');
    }
    if (current !== undefined && current !== AttributeName) {
      throw dynalite.validationError(
        `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`,
      );
    }
    if (Enabled && current !== undefined) {
      throw dynalite.validationError('TimeToLive is already enabled');
    }
    await store.db.batch([
      Enabled ? { type: 'put', key, value: AttributeName } : { type: 'del', key },
    ]);
    return { TimeToLiveSpecification };
  });
}

export async function describeTimeToLive({ store }: Engine, body: unknown): Promise<Result> {
  const { TableName } = parseRequest<{ TableName: string }>(store, describeShape, body);
  await requireTable(store, TableName);
  const AttributeName = store.db.getSync<string>(timeToLivePrefix + TableName);
  return {
    TimeToLiveDescription:
      AttributeName === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName },
  };
}

/** The tables with a time to live, each with the attribute that holds it. */
export async function listTimesToLive(
  db: Level,
): Promise<{ tableName: string; attribute: string }[]> {
  const iterator = db.iterator<string>({ gte: timeToLivePrefix, lt: endOf(timeToLivePrefix) });
  try {
    const found: { tableName: string; attribute: string }[] = [];
    for (;;) {
      const entries = await iterator.nextv(100);
      if (entries.length === 0) return found;
      for (const [key, attribute] of entries) {
        found.push({ tableName: key.slice(timeToLivePrefix.length), attribute });
      }
    }
  } finally {
    await iterator.close();
  }
}

function requireTable(store: Store, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    store.getTable(name, false, (error) => (error ? reject(error) : resolve()));
  });
}
