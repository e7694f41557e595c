import { join } from 'node:path';
import { createTable } from './create-table.ts';
import { startEmbeddedDynamoDb } from './dynamodb/embedded-dynamodb.ts';
import type { Slashes } from './gateway/match-key.ts';
import { type Gateway, startGateway } from './gateway/start-gateway.ts';
import { type Issuer, openIssuer } from './issuer.ts';
import { keepAdvancing } from './keep-advancing.ts';
import { loadAdvance, loadHandlers } from './load-handlers.ts';
import { audience, issuer as issuerName, stateDirectory, tableName } from './settings.ts';

export interface ServiceOptions {
  readonly port: number;
  /** A folder, or 'memory'. */
  readonly dataDirectory: string;
  /** Another DynamoDB than the embedded one. */
  readonly dynamoDbEndpoint?: string | undefined;
  /** Where the embedded one listens. */
  readonly dynamoDbPort?: number;
  readonly stateDirectory?: string;
  readonly slashes?: Slashes;
  /** Whether jobs are run, or stay in their first stage. */
  readonly runsJobs?: boolean;
  readonly onAnswer?: Parameters<typeof startGateway>[0]['onAnswer'];
}

export interface Service {
  readonly url: string;
  readonly issuer: Issuer;
  readonly dynamoDbEndpoint: string;
  /** A second gateway before the same functions. */
  openGateway(slashes: Slashes): Promise<Gateway>;
  close(): Promise<void>;
}

/** The whole service in this process: table, issuer, functions, gateway. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const issuer = openIssuer(options.stateDirectory ?? stateDirectory);
  const database = await startDatabase(options);
  try {
    setEnvironment(issuer, database.endpoint);
    await createTable(tableName);
    const handlers = await loadHandlers();
    const { onAnswer } = options;
    const open = (port: number, slashes: Slashes) =>
      startGateway({ handlers, port, slashes, ...(onAnswer && { onAnswer }) });
    const clock = options.runsJobs ? keepAdvancing(await loadAdvance()) : undefined;
    const gateways = [await open(options.port, options.slashes ?? 'exact')];
    return {
      url: gateways[0]?.url ?? '',
      issuer,
      dynamoDbEndpoint: database.endpoint,
      openGateway: async (slashes) => {
        const gateway = await open(0, slashes);
        gateways.push(gateway);
        return gateway;
      },
      close: async () => {
        await clock?.stop();
        await Promise.all(gateways.map((gateway) => gateway.close()));
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startDatabase(options: ServiceOptions) {
  const { dataDirectory, dynamoDbEndpoint, dynamoDbPort: port = 0 } = options;
  if (dynamoDbEndpoint !== undefined) {
    return { endpoint: dynamoDbEndpoint, close: async () => undefined };
  }
  return startEmbeddedDynamoDb(
    dataDirectory === 'memory' ? { port } : { port, path: join(dataDirectory, 'dynamodb') },
  );
}

/** The functions read what Lambda would give them. */
function setEnvironment(issuer: Issuer, endpoint: string): void {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ISSUER: issuerName,
    AUDIENCE: audience,
    JWKS: issuer.jwks,
    CURSOR_SECRET: issuer.cursorSecret,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: process.env.AWS_REGION ?? 'eu-central-1',
    AWS_ACCESS_KEY_ID: process.env.AWS_ACCESS_KEY_ID ?? 'local',
    AWS_SECRET_ACCESS_KEY: process.env.AWS_SECRET_ACCESS_KEY ?? 'local',
    POWERTOOLS_SERVICE_NAME: 'slipway',
    POWERTOOLS_LOG_LEVEL: process.env.POWERTOOLS_LOG_LEVEL ?? 'WARN',
    POWERTOOLS_METRICS_DISABLED: process.env.POWERTOOLS_METRICS_DISABLED ?? 'true',
  });
}
