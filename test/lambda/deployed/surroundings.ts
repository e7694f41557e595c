import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inject } from 'vitest';
import { openTable, type Table } from '#lib/table/table.ts';
import { createTable } from '#local/create-table.ts';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import {
  audience,
  busName,
  inputsBucket,
  issuer as issuerName,
  resultsBucket,
  tableName,
} from '#local/names.ts';
import { startStorage } from '#local/storage/start-storage.ts';
import type { BusEvent } from '#local/stream/put-events.ts';
import { startEventBus } from '#test/engines/start-event-bus.ts';
import type { DeployedFunction } from './deployed-function.ts';
import { issuer } from './issuer.ts';
import { serveKeys } from './key-set.ts';
import { openSessionGate, sessionToken } from './session-gate.ts';

/** What functions find around them: a table, a storage and a bus, all of them empty, and an issuer. */
export interface Surroundings {
  readonly table: Table;
  readonly dynamoDbEndpoint: string;
  /** How often the issuer's keys were fetched. */
  keysFetched(): number;
  /** How many calls each service of AWS took: all of them had the token of the session. */
  callsTaken(): { readonly table: number; readonly storage: number; readonly bus: number };
  /** What has arrived at the bus. */
  readonly events: readonly BusEvent[];
  /** As it is deployed, with what CloudFormation would fill in, and some of it other than there. */
  environmentOf(deployed: DeployedFunction, tableEndpoint?: string): Record<string, string>;
  close(): Promise<void>;
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const region = 'eu-central-1';

export async function openSurroundings(): Promise<Surroundings> {
  const { certificate } = inject('lambda') ?? {};
  if (!certificate) throw new Error('The suite was not prepared.');
  // In this process; others are told by NODE_EXTRA_CA_CERTS.
  setDefaultCACertificates([...getCACertificates('default'), certificate.certificate]);
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
  const keys = await serveKeys(issuer.jwks, certificate);
  const gates = {
    table: await openSessionGate(database.endpoint),
    storage: await openSessionGate(storage.endpoint),
    bus: await openSessionGate(bus.endpoint),
  };
  const table = openTable(tableName, { endpoint: database.endpoint, region, credentials });
  Object.assign(process.env, {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  });
  await createTable(tableName, database.endpoint);
  const filledIn: Readonly<Record<string, string>> = {
    TABLE_NAME: tableName,
    INPUTS_BUCKET: inputsBucket,
    RESULTS_BUCKET: resultsBucket,
    EVENT_BUS_NAME: busName,
    ISSUER: issuerName,
    AUDIENCE: audience,
    COMMAND_CLIENT_ID: audience,
    JWKS_URI: keys.address,
    CURSOR_SECRET: issuer.cursorSecret,
    PASS_SECRET: issuer.passSecret,
    PUBLIC_URL: 'https://slipway.example.org',
    HPC_SECRETS: '{}',
  };
  return {
    table,
    dynamoDbEndpoint: gates.table.endpoint,
    keysFetched: () => keys.fetched,
    callsTaken: () => ({
      table: gates.table.passed,
      storage: gates.storage.passed,
      bus: gates.bus.passed,
    }),
    events,
    environmentOf: ({ name, variables }, tableEndpoint = gates.table.endpoint) => {
      const entries = Object.entries(variables).map(([variable, literal]) => {
        const value = filledIn[variable] ?? literal;
        if (value === undefined) throw new Error(`${name}: nobody knows the value of ${variable}.`);
        return [variable, value];
      });
      return {
        ...Object.fromEntries(entries),
        // AWS finds these by itself.
        AWS_ENDPOINT_URL_DYNAMODB: tableEndpoint,
        AWS_ENDPOINT_URL_S3: gates.storage.endpoint,
        AWS_ENDPOINT_URL_EVENTBRIDGE: gates.bus.endpoint,
        NODE_EXTRA_CA_CERTS: certificate.file,
        // Simulated jobs stand nearly still: how fast this machine is decides no stage.
        SIM_HOUR_SECONDS: '99999',
      };
    },
    async close() {
      table.client.destroy();
      await keys.close();
      for (const gate of Object.values(gates)) await gate.close();
      await bus.close();
      await storage.close();
      await database.close();
    },
  };
}
