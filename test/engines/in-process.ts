import {
  DynamoDBClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { chooseConnection, connectInProcess, type SentCommand } from '#lib/table/connection.ts';
import { tableDefinition } from '#lib/table/definition.ts';
import { partitionPatterns } from '#lib/table/keys.ts';
import { describeTable } from '#local/create-table.ts';
import { runOperation, runTogether } from '#local/dynamodb/dispatch/run-operation.ts';
import {
  answerCommand,
  nameOperation,
  type RunOperation,
  readRememberedItem,
} from '#local/dynamodb/documents/answer-in-process.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import type { OpenedTable } from './open-table-on.ts';

interface Streamed {
  /** Reads the table's stream from its beginning. */
  readChanges(): DynamoDBRecord[];
}

/**
 * The embedded table as the laptop edition calls it, with no socket in between: a hundred thousand
 * calls are a matter of seconds so, and not of minutes.
 */
export async function openInProcessTable(name: string): Promise<OpenedTable & Streamed> {
  const engine = openEngine({ wanted: () => true });
  runOperation(engine, 'CreateTable', describeTable(name));
  const client = new DynamoDBClient({ region: 'eu-central-1' });
  const documents = DynamoDBDocumentClient.from(client);
  const { middlewareStack } = documents;
  // Tests count and interrupt calls in this stack. The SDK's own steps would only prepare requests that
  // are never sent, which takes longer than the answer.
  for (const entry of [...middlewareStack.identify(), 'httpAuthSchemeMiddleware']) {
    middlewareStack.remove(entry.split(' ')[0] ?? '');
  }
  async function send(command: SentCommand): Promise<object> {
    const name = nameOperation(command);
    const handler = middlewareStack.resolve<ServiceInputTypes, ServiceOutputTypes>(
      async ({ input }) => {
        expectConsistent(name, Object(input));
        const run: RunOperation = (operation, request) => runTogether(engine, operation, request);
        const answer = await answerCommand(run, name, input, readRememberedItem);
        return { response: {}, output: { $metadata: {}, ...answer } };
      },
      { commandName: `${name}Command` },
    );
    return (await handler({ input: command.input })).output;
  }
  // Calls are recorded for tests of the roles where a client is connected (test/recording).
  connectInProcess((connected) => Object.assign(connected, { send }));
  chooseConnection()(documents);
  connectInProcess();
  return {
    table: { name, client: documents },
    readChanges: () => (engine.stream?.read(0, 10_000) ?? []).map(({ record }) => record),
    async close() {
      client.destroy();
      engine.database.close();
    },
  };
}

interface Parameters {
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, Parameters>>;
  readonly Key?: { readonly SK: string };
  readonly Keys?: readonly { readonly PK: string }[];
}

/** What was last seen of a system may be a moment old: nothing is decided by it. */
function isOfSystems({ Keys = [] }: Parameters): boolean {
  const prefix = partitionPatterns.systems.replace('*', '');
  return Keys.length > 0 && Keys.every(({ PK }) => PK.startsWith(prefix));
}

/** Whether somebody follows a job may be a moment old as well. */
function isOfFollowers({ Key }: Parameters): boolean {
  return Key?.SK.startsWith('FOLLOWER#') ?? false;
}

/** The table itself and its local indexes; a global index is always behind. */
function isConsistentIndex(index: string | undefined): boolean {
  return index === undefined || tableDefinition.localIndexes.some((each) => each === index);
}

/** This engine is never behind, so that a read which may be would not be noticed by what it finds. */
export function expectConsistent(name: string, parameters: Parameters): void {
  const reads =
    name === 'BatchGetItem'
      ? Object.values(parameters.RequestItems ?? {})
      : name === 'GetItem' || (name === 'Query' && isConsistentIndex(parameters.IndexName))
        ? [parameters]
        : [];
  const mayBeBehind = (read: Parameters) => isOfSystems(read) || isOfFollowers(read);
  if (reads.some((read) => read.ConsistentRead !== true && !mayBeBehind(read))) {
    throw new Error(`${name} reads the table itself, and may be behind.`);
  }
}
