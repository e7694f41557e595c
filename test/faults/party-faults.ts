import { StorageUnavailableError } from '#lib/files/errors.ts';
import type { DirectStore } from '#lib/files/storage/direct-store.ts';
import type { Fault } from './fault.ts';
import { leaseSeconds } from './table-faults.ts';

/** Lists the faults of the storage, the bus, the secrets, the clock and the service's own processes. */
export function listPartyFaults(random: () => number): Fault[] {
  return [
    {
      name: 'storage: away',
      leavesSeconds: leaseSeconds,
      storage: (store) => aroundEach(store, () => Promise.reject(new StorageUnavailableError())),
    },
    {
      name: 'storage: answers are lost, half of them after their effect',
      leavesSeconds: leaseSeconds,
      storage: (store) =>
        aroundEach(store, async (call) => {
          if (random() < 0.3) throw new StorageUnavailableError();
          const answer = await call();
          if (random() < 0.3) throw new StorageUnavailableError();
          return answer;
        }),
    },
    {
      name: 'storage: files break off in the middle',
      leavesSeconds: leaseSeconds,
      storage: (store) => ({
        ...store,
        async open(key) {
          const { bytes, stream } = await store.open(key);
          return { bytes, stream: breakOff(stream) };
        },
      }),
    },
    { name: 'bus: away', bus: () => Promise.reject(new Error('The bus is away.')) },
    {
      name: 'bus: accepts only a part',
      lasts: true,
      async bus(send) {
        if (random() < 0.5) {
          return { FailedEntryCount: 1, Entries: [{ ErrorCode: 'InternalFailure' }] };
        }
        return send();
      },
    },
    {
      name: 'bus: tells everything twice',
      lasts: true,
      deliver: (events) => ({ now: [...events, ...events], later: [] }),
    },
    { name: 'bus: tells late', deliver: (events) => ({ now: [], later: events }) },
    {
      name: 'bus: tells out of order, late and twice',
      deliver(events) {
        const shuffled = events
          .map((event) => ({ event, place: random() }))
          .toSorted((one, other) => one.place - other.place)
          .map(({ event }) => event);
        const half = Math.ceil(shuffled.length / 2);
        const now = shuffled.slice(0, half);
        const again = now.filter(() => random() < 0.3);
        return { now: [...now, ...again], later: shuffled.slice(half) };
      },
    },
    {
      name: 'secrets: away',
      leavesSeconds: leaseSeconds,
      secrets() {
        throw Object.assign(new Error('Try again.'), { name: 'InternalServiceError' });
      },
    },
    {
      name: 'processes: one call in fifty kills its function',
      leavesSeconds: leaseSeconds,
      kill: () => random() < 0.02,
    },
    {
      name: 'clock: jumps an hour ahead',
      leavesSeconds: leaseSeconds,
      begin: (clock) => clock.jump(3600),
    },
    {
      name: 'clock: jumps an hour back',
      leavesSeconds: leaseSeconds,
      begin: (clock) => clock.jump(-3600),
    },
    {
      name: 'clock: jumps a day ahead and back again',
      leavesSeconds: leaseSeconds,
      begin: (clock) => clock.jump(86_400),
      end: (clock) => clock.jump(-86_400),
    },
  ];
}

type Around = <T>(call: () => Promise<T>) => Promise<T>;

function aroundEach(store: DirectStore, around: Around): DirectStore {
  return {
    put: (key, bytes) => around(() => store.put(key, bytes)),
    putFrom: (key, source) => around(() => store.putFrom(key, source)),
    read: (key, range) => around(() => store.read(key, range)),
    open: (key) => around(() => store.open(key)),
    measure: (key) => around(() => store.measure(key)),
    remove: (key) => around(() => store.remove(key)),
    parts: {
      begin: (key, bytes) => around(() => store.parts.begin(key, bytes)),
      list: (key, id) => around(() => store.parts.list(key, id)),
      join: (key, id, parts) => around(() => store.parts.join(key, id, parts)),
    },
  };
}

/** Ends a stream with an error after its first piece. */
function breakOff(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let pieces = 0;
  return new ReadableStream({
    async pull(controller) {
      const { value } = await reader.read();
      if (pieces === 0 && value) controller.enqueue(value.subarray(0, value.length / 2));
      else controller.error(new StorageUnavailableError());
      pieces += 1;
    },
  });
}
