import { AsyncLocalStorage } from 'node:async_hooks';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BatchClient } from '@aws-sdk/client-batch';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { vi } from 'vitest';
import { joinItemUses, listItemUses, type TableCommand } from './list-item-uses.ts';
import { listServiceFiles } from './list-service-files.ts';
import { nameHandlers } from './name-handlers.ts';
import { keepCall } from './recorded-calls.ts';
import type { ServiceCall } from './service-call.ts';

/**
 * Writes down what the service asks of AWS in the tests of a project, and which function asked: for
 * `npm run suite -- policies`, which holds it against the roles.
 */
const folder = process.env.RECORDED_CALLS ?? '';
const root = join(import.meta.dirname, '../..');
const running = new AsyncLocalStorage<string>();

vi.mock('#local/load-handlers.ts', async (original) =>
  nameHandlers(await original<typeof import('#local/load-handlers.ts')>(), (name, call) =>
    running.run(name, call),
  ),
);

// A storage within the process is not asked for anything that is signed.
vi.mock('#lib/files/storage/direct-store.ts', async (original) => ({
  ...(await original<typeof import('#lib/files/storage/direct-store.ts')>()),
  openDirectly: () => undefined,
}));

// A table and a bus within the process are called in the place of the SDK's own way.
vi.mock('#lib/table/connection.ts', async (original) => {
  const connection = await original<typeof import('#lib/table/connection.ts')>();
  return {
    ...connection,
    chooseConnection: () => (client: object) => {
      connection.chooseConnection()(client);
      if (Object.hasOwn(client, 'send')) watchSending(client);
    },
  };
});

vi.mock('#lib/events/publish-events.ts', async (original) => {
  const events = await original<typeof import('#lib/events/publish-events.ts')>();
  return {
    ...events,
    publishInProcess(connection?: (client: EventBridgeClient) => void) {
      events.publishInProcess(
        connection &&
          ((client) => {
            connection(client);
            watchSending(client);
          }),
      );
    },
  };
});

const base = Object.getPrototypeOf(DynamoDBDocumentClient.prototype);
for (const { prototype } of [BatchClient, EventBridgeClient, SecretsManagerClient]) {
  if (Object.getPrototypeOf(prototype) !== base) throw new Error('Not all clients are alike.');
}
watchSending(base);
for (const method of ['sign', 'presign']) {
  watch(SignatureV4.prototype, method, (signer, [request]) => {
    if (Object(signer).service === 's3') keep(reduceRequest(Object(request)));
  });
}

function watchSending(client: object): void {
  watch(client, 'send', (_, [command]) => keep(reduceCommand(Object(command))));
}

/** Once a process, though this is loaded for each of its files. */
function watch(
  target: object,
  method: string,
  see: (self: unknown, parameters: unknown[]) => void,
): void {
  const watched = Symbol.for(`watched ${method}`);
  if (Object.hasOwn(target, watched)) return;
  const original: unknown = Reflect.get(target, method);
  if (typeof original !== 'function') throw new Error(`There is no ${method} to watch.`);
  Object.defineProperties(target, {
    [watched]: { value: true },
    [method]: {
      configurable: true,
      writable: true,
      value: new Proxy(original, {
        apply(called, self: unknown, parameters: unknown[]) {
          see(self, parameters);
          return Reflect.apply(called, self, parameters);
        },
      }),
    },
  });
}

function keep(call: ServiceCall | undefined): void {
  if (!call) return;
  // Which bucket it is, rules do not know: a test that calls them without a function has chosen it.
  const ofRules = () => (call.to === 'table' ? listServiceFiles(readStack()) : []);
  // On AWS no programs are started, whichever function an event came from.
  if (readStack().some((file) => file.startsWith('local/hooks/'))) return;
  const by = running.getStore() ?? ofRules();
  if (by.length > 0) keepCall(folder, { by, call });
}

const awsBatchCommand = /^(DescribeJobQueues|DescribeJobs|ListJobs|SubmitJob|TerminateJob)Command$/;

function reduceCommand(command: TableCommand): ServiceCall {
  const { name } = command.constructor;
  if (name === 'PutEventsCommand') return { to: 'bus' };
  if (name === 'GetSecretValueCommand') return { to: 'secrets' };
  if (awsBatchCommand.test(name)) {
    return { to: 'aws-batch', action: name.replace(/Command$/, '') };
  }
  return { to: 'table', uses: joinItemUses(listItemUses(command)) };
}

/** In tests the storage is asked by path: `/bucket/key`. */
function reduceRequest({
  method,
  path,
}: {
  method: string;
  path: string;
}): ServiceCall | undefined {
  const [, bucket] = path.split('/');
  if (bucket === process.env.INPUTS_BUCKET) return { to: 'inputs', method };
  if (bucket === process.env.RESULTS_BUCKET) return { to: 'results', method };
  return undefined;
}

/** The files of the project that are on their way, from the innermost outwards. */
function readStack(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? '');
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const files: unknown = stack;
  if (!Array.isArray(files)) return [];
  return files
    .map(String)
    .map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file))
    .map((file) => relative(root, file))
    .filter((file) => !file.startsWith('..') && !file.startsWith('node_modules/'))
    .filter((file) => !file.startsWith('test/recording/'));
}
