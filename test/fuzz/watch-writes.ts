import { vi } from 'vitest';
import type { ApiHandler } from '#lib/http/chain/api-handler.ts';
import { projectName, systemName } from '../fixtures/names.ts';
import { nameHeader, noteRemoval, noteWrite, runFor, runForNobody } from './written.ts';

/** A third system runs jobs as the accounts of their owners, which administrators enter. */
vi.mock('../fixtures/chosen-systems.ts', async (original) => {
  const { chosenSystems } = await original<typeof import('../fixtures/chosen-systems.ts')>();
  const [first, ...others] = chosenSystems();
  if (!first) throw new Error('There are no systems.');
  const hpc = systemName('hpc_three');
  const project = { name: projectName('proj_hpc_three_01'), hpc, number: 9, maxLivingJobs: 1000 };
  const third = { ...first, name: hpc, projects: [project], runsAs: 'mapped' as const };
  return { chosenSystems: () => [first, ...others, third] };
});

/**
 * Watches the table and the files of the service in this process: each write that succeeds is noted
 * with the request that caused it. Every client of the table is connected in one place, and so is
 * every store of files.
 */
vi.mock('#local/load-handlers.ts', async (original) => {
  const loading = await original<typeof import('#local/load-handlers.ts')>();
  return {
    ...loading,
    async loadHandlers() {
      const handlers = await loading.loadHandlers();
      return new Map([...handlers].map(([key, handler]) => [key, watchHandler(handler)]));
    },
    async loadStreamReaders() {
      const readers = await loading.loadStreamReaders();
      return readers.map((reader) => ({ ...reader, handler: setApart(reader.handler) }));
    },
    async loadListeners() {
      const listeners = await loading.loadListeners();
      return listeners.map((listener) => ({ ...listener, handler: setApart(listener.handler) }));
    },
    async loadSchedules() {
      const schedules = await loading.loadSchedules();
      return schedules.map((schedule) => ({ ...schedule, call: setApart(schedule.call) }));
    },
  };
});

vi.mock('#lib/table/connection.ts', async (original) => {
  const connection = await original<typeof import('#lib/table/connection.ts')>();
  return {
    ...connection,
    chooseConnection: () => (client: object) => {
      connection.chooseConnection()(client);
      watchClient(client);
    },
  };
});

vi.mock('#lib/files/storage/direct-store.ts', async (original) => {
  const direct = await original<typeof import('#lib/files/storage/direct-store.ts')>();
  return {
    ...direct,
    openDirectly(bucket: string) {
      const store = direct.openDirectly(bucket);
      if (!store) return undefined;
      const name = (key: string) => `file ${bucket} ${key}`;
      return {
        ...store,
        async put(key: string, bytes: Uint8Array) {
          await store.put(key, bytes);
          noteWrite(name(key));
        },
        async putFrom(key: string, source: Parameters<typeof store.putFrom>[1]) {
          await store.putFrom(key, source);
          noteWrite(name(key));
        },
        async remove(key: string) {
          await store.remove(key);
          noteRemoval(name(key));
        },
      };
    },
  };
});

function setApart<Parameters extends unknown[], Result>(
  call: (...parameters: Parameters) => Result,
): (...parameters: Parameters) => Result {
  return (...parameters) => runForNobody(() => call(...parameters));
}

function watchHandler(handler: ApiHandler): ApiHandler {
  return (event, context) => runFor(event.headers[nameHeader], () => handler(event, context));
}

type Send = (command: { readonly input: object }) => Promise<object>;

function watchClient(client: { send?: Send }): void {
  const { send } = client;
  if (!send || !Object.hasOwn(client, 'send')) return;
  client.send = async (command) => {
    const answer = await send(command);
    for (const key of listWritten(command.constructor.name, Object(command.input))) noteWrite(key);
    return answer;
  };
}

interface WriteInput {
  readonly Key?: Readonly<Record<string, unknown>>;
  readonly Item?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, WriteInput>>[];
}

function listWritten(command: string, input: WriteInput): string[] {
  if (/^(Put|Update|Delete)Command$/.test(command)) return [describeKey(input)];
  if (command === 'BatchWriteCommand') return ['a batch of writes'];
  if (command !== 'TransactWriteCommand') return [];
  return (input.TransactItems ?? [])
    .flatMap(({ ConditionCheck: _, ...writes }) => Object.values(writes))
    .map(describeKey);
}

function describeKey({ Key, Item }: WriteInput): string {
  const { PK, SK } = Key ?? Item ?? {};
  return `${PK} ${SK}`;
}
