import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import type { BusEvent } from '#local/event-bus/put-events.ts';
import { startEventBus } from '#local/event-bus/start-event-bus.ts';
import {
  audience,
  busName,
  inputsBucket,
  issuer as issuerName,
  resultsBucket,
  tableName,
} from '#local/settings.ts';
import { startStorage } from '#local/storage/start-storage.ts';
import type { DeployedFunction } from './deployed-function.ts';
import { issuer } from './issuer.ts';

/** What functions find around them: a table, a storage and a bus, all of them empty. */
export interface Surroundings {
  readonly table: Table;
  readonly dynamoDbEndpoint: string;
  /** What has arrived at the bus. */
  readonly events: readonly BusEvent[];
  /** As it is deployed, with what CloudFormation would fill in, and some of it other than there. */
  environmentOf(
    deployed: DeployedFunction,
    other?: Readonly<Record<string, string>>,
  ): Record<string, string>;
  close(): Promise<void>;
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'eu-central-1';

export async function openSurroundings(): Promise<Surroundings> {
  const events: BusEvent[] = [];
  const database = await startEmbeddedDynamoDb();
  const storage = await startStorage({
    buckets: [inputsBucket, resultsBucket],
    credentials: { region, ...credentials },
  });
  const bus = await startEventBus({
    name: busName,
    onEvents: (arrived) => events.push(...arrived),
  });
  const table = openTable(tableName, { endpoint: database.endpoint, region, credentials });
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  });
  await createTable(tableName, database.endpoint);
  const filledIn: Readonly<Record<string, string>> = {
    TABLE_NAME: tableName,
    INPUTS_BUCKET: inputsBucket,
    RESULTS_BUCKET: resultsBucket,
    EVENT_BUS_NAME: busName,
    ISSUER: issuerName,
    AUDIENCE: audience,
    JWKS: issuer.jwks,
    CURSOR_SECRET: issuer.cursorSecret,
    PASS_SECRET: issuer.passSecret,
    PUBLIC_URL: 'https://slipway.example.org',
    HPC_SECRETS: '{}',
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
  };
  return {
    table,
    dynamoDbEndpoint: database.endpoint,
    events,
    environmentOf: ({ name, variables }, other = {}) => {
      const entries = Object.entries(variables).map(([variable, literal]) => {
        const value = other[variable] ?? filledIn[variable] ?? literal;
        if (value === undefined) throw new Error(`${name}: nobody knows the value of ${variable}.`);
        return [variable, value];
      });
      return {
        ...Object.fromEntries(entries),
        // AWS finds these by itself.
        AWS_ENDPOINT_URL_S3: storage.endpoint,
        AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint,
      };
    },
    async close() {
      table.client.destroy();
      await bus.close();
      await storage.close();
      await database.close();
    },
  };
}
