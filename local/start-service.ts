import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { consoleFolder } from '#console/serving/console-folder.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { readEnvironment } from '#lib/config.ts';
import { relayFolder } from '#lib/files/object-keys.ts';
import { storeInProcess } from '#lib/files/storage/direct-store.ts';
import { keepCredentialsInProcess } from '#lib/hpc/credentials.ts';
import type { MachineFacts } from '#lib/hpc/machine/this-machine.ts';
import { hasSimulated } from '#lib/hpc/simulator/simulator-store.ts';
import { announceShutdownBy } from '#lib/outbound/shutdown.ts';
import { connectInProcess } from '#lib/table/connection.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { takeSteps } from '#lib/table/taken-steps.ts';
import { openAnswersApart } from './answer-apart.ts';
import { createTable } from './create-table.ts';
import { openCredentialsFile } from './credentials/credentials-file.ts';
import { openPrivateFolder } from './credentials/private-folder.ts';
import { addressOfConsole, openSignInKey } from './credentials/sign-in-key.ts';
import { type EmbeddedDynamoDb, startEmbeddedDynamoDb } from './dynamodb/embedded-dynamodb.ts';
import type { ReplicaOptions } from './dynamodb/replica/replica.ts';
import { damageHelp } from './dynamodb/values/errors.ts';
import { chooseWanted, type EventFlowOptions } from './event-flow.ts';
import { serveConsole } from './gateway/serve-console.ts';
import {
  type AnswerApart,
  type Gateway,
  type HandlersByKey,
  type Slashes,
  startGateway,
  storagePath,
} from './gateway/start-gateway.ts';
import { WaitingLine } from './gateway/waiting-line.ts';
import { checkHooks } from './hooks/hook-folder.ts';
import { type Issuer, openIssuer } from './issuer.ts';
import type { ThreadInput } from './join-service.ts';
import { listSchedules, loadHandlers, tellOfFullDisk } from './load-handlers.ts';
import type { Listening } from './loopback/listen-on-loopback.ts';
import type { Monitoring } from './metrics/open-monitoring.ts';
import {
  audience,
  busName,
  inputsBucket,
  issuer as issuerName,
  resultsBucket,
  tableName,
} from './names.ts';
import { describeConsole, type OwnIssuer, refuseOthers } from './own-issuer.ts';
import { type Lives, runLives } from './run-lives.ts';
import { MachineCredentials, stateDirectory } from './settings.ts';
import { signInOnLaptop } from './sign-in-on-laptop.ts';
import { startLives } from './start-lives.ts';
import { removeFolder } from './storage/objects-on-disk.ts';
import { type LocalStorage, startStorage } from './storage/start-storage.ts';
import { takeOver } from './take-over.ts';
import { type OpenedMachine, openMachine } from './this-machine.ts';

export interface ServiceOptions {
  readonly port: number;
  /** Ports to try if another program has that one. */
  readonly otherPorts?: readonly number[];
  /** Address to listen on. Only this machine can reach the default. */
  readonly listen?: string;
  /** The descriptor of a socket that outlives this process, to listen on instead. */
  readonly keptSocket?: number | undefined;
  /** Accepts only tokens of this issuer, and signs nobody in by itself. */
  readonly ownIssuer?: OwnIssuer | undefined;
  /** Whether the service may run as root, to start jobs as their owners' accounts. */
  readonly mayRunAsRoot?: boolean;
  /** A folder, or 'memory'. */
  readonly dataDirectory: string;
  readonly dataCheck?: 'quick' | 'full';
  /** Keeps a copy of the table for a standby. */
  readonly replica?: ReplicaOptions | undefined;
  /** Use this DynamoDB instead of the embedded one. */
  readonly dynamoDbEndpoint?: string | undefined;
  /** Port of the embedded DynamoDB. */
  readonly dynamoDbPort?: number;
  /** Use this storage instead of the local one. */
  readonly storageEndpoint?: string | undefined;
  /** Address at which people and HPC systems reach the service, if it differs from the local one. */
  readonly publicUrl?: string | undefined;
  /** Origins whose pages may call the service, besides its own. */
  readonly corsOrigins?: readonly string[];
  readonly stateDirectory?: string;
  /** The folder of the operator's programs that events start. */
  readonly hooksDirectory?: string | undefined;
  readonly slashes?: Slashes;
  /** Whether to process jobs. Otherwise they stay in their first stage. */
  readonly runsJobs?: boolean;
  /** Whether to process jobs and large requests in separate threads. Only if the data is on disk. */
  readonly usesThreads?: boolean;
  /** Serves figures for Prometheus at this port of the loopback address. */
  readonly metricsPort?: number | undefined;
  readonly onAnswer?: Parameters<typeof startGateway>[0]['onAnswer'];
  /** Called with the events that arrive at the bus, in addition to the listeners. */
  readonly onEvents?: EventFlowOptions['onEvents'];
}

export interface Service {
  readonly url: string;
  readonly port: number;
  /** The address of the console, with the key if people sign in here. */
  readonly consoleUrl: string;
  readonly issuer: Issuer;
  readonly dynamoDbEndpoint: string;
  /** Where Prometheus finds figures, if they are served. */
  readonly metricsUrl: string | undefined;
  /** Undefined if no system runs jobs on this machine. */
  readonly machine: MachineFacts | undefined;
  /** Systems whose jobs were simulated, and are not any more. */
  readonly formerlySimulated: readonly HpcSystem[];
  /** Opens a second gateway to the same functions. */
  openGateway(slashes: Slashes): Promise<Gateway>;
  close(): Promise<void>;
}

/** Starts the whole service: table, issuer, storage, functions and gateway. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const state = options.stateDirectory ?? stateDirectory;
  const issuer = openIssuer(state);
  const key = options.ownIssuer ? undefined : openSignInKey(state);
  keepCredentialsInProcess(openCredentialsFile(state, catalog));
  refuseLostFiles(options);
  checkHooks(options.hooksDirectory);
  const machine = await openMachine({
    systems: catalog.systems,
    dataDirectory: options.dataDirectory,
    stateDirectory: state,
    path: process.env.PATH ?? '',
    mayRunAsRoot: options.mayRunAsRoot ?? false,
    isForGroup: options.ownIssuer !== undefined,
  });
  let lives: Lives | undefined;
  let monitoring: Monitoring | undefined;
  let storage: (Listening & Partial<LocalStorage>) | undefined;
  const gateways: Gateway[] = [];
  // Ends the thread for large requests, after the last of them.
  const unused = new AbortController();
  const database = await takeOver(options, () => startDatabase(options));
  /** Other services of this process must not find the table and the files of this one. */
  const leaveProcess = async () => {
    unused.abort();
    announceShutdownBy();
    keepCredentialsInProcess();
    connectInProcess();
    storeInProcess(undefined);
    await machine?.close();
    await storage?.close();
    await monitoring?.close();
    await database.close();
  };
  try {
    const pages: string[] = [...(options.corsOrigins ?? [])];
    if (options.publicUrl !== undefined) pages.push(new URL(options.publicUrl).origin);
    const credentials = chooseCredentials(issuer);
    storage = await openStorage(options, credentials, () => pages);
    const storageAddress = chooseStorageAddress(options, storage);
    const { config, origins } = describeConsole(options.ownIssuer);
    const console = {
      folder: consoleFolder,
      config,
      origins: [new URL(storageAddress).origin, ...origins],
    };
    const throughGateway = options.publicUrl !== undefined && storage.serveBelow?.(storagePath);
    // The gateway listens before the functions are loaded, because some need its address.
    const { promise: loading, resolve: serve } = Promise.withResolvers<HandlersByKey>();
    const { onAnswer, corsOrigins = [] } = options;
    const line = new WaitingLine();
    const channelName = options.metricsPort === undefined ? undefined : randomUUID();
    const thread = describeThread(options, machine, channelName);
    const apart = openApart(thread, database, unused.signal);
    const open = async (port: number, slashes: Slashes, keptSocket?: number) => {
      const gateway = await startGateway({
        handlers: loading,
        port,
        slashes,
        line,
        apart,
        waitForCopy: database.waitForCopy,
        beside: (event) =>
          (key === undefined ? undefined : signInOnLaptop({ issuer, key }, event)) ??
          serveConsole(console, event),
        ...(options.listen !== undefined && { listen: options.listen }),
        keptSocket,
        ...(throughGateway && { storage: throughGateway }),
        corsOrigins,
        ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
        onAnswer: (answered) => {
          monitoring?.noteAnswer(answered);
          onAnswer?.(answered);
        },
      });
      gateways.push(gateway);
      // Pages of the console itself, under both names of this machine.
      pages.push(gateway.url, gateway.url.replace('localhost', '127.0.0.1'));
      return gateway;
    };
    const { url, address } = await openAtFirst(
      [options.port, ...(options.otherPorts ?? [])],
      (port) => open(port, options.slashes ?? 'exact', options.keptSocket),
    );
    refuseOthers(address, options.ownIssuer);
    const publicUrl = options.publicUrl ?? url;
    setEnvironment(issuer, options.ownIssuer, {
      ...credentials,
      PUBLIC_URL: publicUrl,
      CONSOLE_URL: addressOfConsole(publicUrl, undefined),
      AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
      AWS_ENDPOINT_URL_S3: storageAddress,
    });
    connectInProcess(database.connection);
    storeInProcess(storage.openBucket);
    await createTable(tableName);
    const table = openTable(tableName);
    await takeSteps(table);
    monitoring = await openFigures(options, database, table, channelName);
    const formerlySimulated = await findFormerlySimulated(table);
    const handlers = await tellOfFullDisk(await loadHandlers(), () => {
      const canStore = storage?.canWrite?.() ?? true;
      return canStore && (database.figures?.canWrite() ?? true);
    });
    const shutdown = new AbortController();
    announceShutdownBy(shutdown.signal);
    if (options.runsJobs) lives = await openLives(options, database, thread);
    serve(handlers);
    return {
      url,
      port: Number(new URL(url).port),
      // The local sign-in works only at the local address.
      consoleUrl: addressOfConsole(key === undefined ? publicUrl : url, key),
      issuer,
      dynamoDbEndpoint: database.endpoint,
      metricsUrl: monitoring?.url,
      machine: machine?.facts,
      formerlySimulated,
      openGateway: (slashes) => open(0, slashes),
      close: async () => {
        shutdown.abort();
        await Promise.all([lives?.close(), ...gateways.map((gateway) => gateway.close())]);
        await leaveProcess();
      },
    };
  } catch (error) {
    for (const gateway of gateways) void gateway.close();
    await lives?.close();
    await leaveProcess();
    throw error;
  }
}

/** Opens at the first port that no other program has. Throws the error of the last one. */
async function openAtFirst(
  [port = 0, ...others]: readonly number[],
  open: (port: number) => Promise<Gateway>,
): Promise<Gateway> {
  try {
    return await open(port);
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken || others.length === 0) throw error;
    return openAtFirst(others, open);
  }
}

async function findFormerlySimulated(table: Table): Promise<readonly HpcSystem[]> {
  const others = catalog.systems.filter((system) => !traitsOf(system).simulated);
  const found = await Promise.all(others.map(({ name }) => hasSimulated(table, name)));
  return others.filter((_, place) => found[place]);
}

/** Processes jobs in this thread, or in a separate one if table and files can be shared. */
async function openLives(
  options: ServiceOptions,
  { stream, serveLives }: Partial<EmbeddedDynamoDb>,
  input: ThreadInput | undefined,
): Promise<Lives> {
  if (!input || !stream || !serveLives) {
    return runLives(stream, { stateDirectory, ...options });
  }
  const { streams } = await import('#functions/streams.ts');
  return startLives(input, (port) => serveLives(port, stream, Object.keys(streams)));
}

/** Undefined if this thread answers large requests too. */
function openApart(
  input: ThreadInput | undefined,
  { serveRequests }: Partial<EmbeddedDynamoDb>,
  until: AbortSignal,
): AnswerApart | undefined {
  return input && serveRequests && openAnswersApart(input, serveRequests, until);
}

/** Undefined if the service has no other threads. */
function describeThread(
  { usesThreads = false, dataDirectory, storageEndpoint, ...options }: ServiceOptions,
  machine: OpenedMachine | undefined,
  channelName: string | undefined,
): ThreadInput | undefined {
  if (!usesThreads || dataDirectory === 'memory') return undefined;
  return {
    systems: catalog.systems,
    stateDirectory: options.stateDirectory ?? stateDirectory,
    hooksDirectory: options.hooksDirectory,
    machine: machine?.facts,
    channelName,
    filesDirectory: storageEndpoint === undefined ? join(dataDirectory, 'files') : undefined,
  };
}

/** Keeps figures only for who asks for them: their library takes a moment to load. */
async function openFigures(
  { metricsPort: port, dataDirectory }: ServiceOptions,
  { figures: embedded }: Partial<EmbeddedDynamoDb>,
  table: Table,
  channelName = '',
): Promise<Monitoring | undefined> {
  if (port === undefined) return undefined;
  const { openMonitoring } = await import('./metrics/open-monitoring.ts');
  const folder = dataDirectory === 'memory' ? undefined : dataDirectory;
  const schedules = await listSchedules();
  return openMonitoring({ port, channelName, schedules, table, embedded, folder });
}

/** Only the embedded table has a stream. With any other, only the schedules advance jobs. */
function hasStream({ runsJobs = false, dynamoDbEndpoint }: ServiceOptions): boolean {
  return runsJobs && dynamoDbEndpoint === undefined;
}

async function startDatabase(
  options: ServiceOptions,
): Promise<Partial<EmbeddedDynamoDb> & Listening> {
  const { dataDirectory, dataCheck, dynamoDbEndpoint, dynamoDbPort: port = 0 } = options;
  if (dynamoDbEndpoint !== undefined) {
    if (options.replica) {
      throw new Error(
        'REPLICA_DIR copies the embedded table. Leave AWS_ENDPOINT_URL_DYNAMODB out.',
      );
    }
    return { endpoint: dynamoDbEndpoint, close: async () => undefined };
  }
  return startEmbeddedDynamoDb({
    port,
    key: randomBytes(24).toString('hex'),
    // Programs that were told a port cannot know the key.
    isOpen: port !== 0,
    durable: options.ownIssuer !== undefined,
    replica: options.replica,
    ...(dataDirectory !== 'memory' && { path: join(dataDirectory, 'dynamodb') }),
    ...(dataCheck && { check: dataCheck }),
    ...(hasStream(options) && { wanted: await chooseWanted() }),
  });
}

/**
 * Refuses a folder that has a table but no job files. In a new folder, creates the place for files
 * before the table, so that a kill in between does not look like lost files.
 */
function refuseLostFiles({ dataDirectory, dynamoDbEndpoint, storageEndpoint }: ServiceOptions) {
  const isElsewhere = dynamoDbEndpoint !== undefined || storageEndpoint !== undefined;
  if (dataDirectory === 'memory' || isElsewhere) return;
  const place = join(dataDirectory, 'files', 'buckets');
  if (existsSync(join(dataDirectory, 'dynamodb', 'table.seal')) && !existsSync(place)) {
    throw new Error(
      `The files of jobs are missing beside their table: ${place}. ${damageHelp} If none were ever kept there, make that folder.`,
    );
  }
  openPrivateFolder(place);
}

/**
 * Uses the issuer's secret by default. With a well-known secret, any program on the machine could
 * read the files of all users.
 */
function chooseCredentials({ storageSecret }: Issuer) {
  const { AWS_SECRET_ACCESS_KEY = storageSecret, ...found } = readEnvironment(MachineCredentials);
  return { ...found, AWS_SECRET_ACCESS_KEY };
}

async function openStorage(
  { dataDirectory, storageEndpoint }: ServiceOptions,
  credentials: ReturnType<typeof chooseCredentials>,
  corsOrigins: () => readonly string[],
): Promise<Listening & Partial<LocalStorage>> {
  if (storageEndpoint !== undefined) {
    return { endpoint: storageEndpoint, close: async () => undefined };
  }
  const directory = dataDirectory === 'memory' ? undefined : join(dataDirectory, 'files');
  // A killed process may have left copies without a record, which no sweep finds.
  if (directory !== undefined) {
    removeFolder(directory, { bucket: resultsBucket, key: relayFolder });
  }
  return startStorage({
    buckets: [inputsBucket, resultsBucket],
    corsOrigins,
    credentials: {
      region: credentials.AWS_REGION,
      accessKeyId: credentials.AWS_ACCESS_KEY_ID,
      secretAccessKey: credentials.AWS_SECRET_ACCESS_KEY,
    },
    ...(directory !== undefined && { directory }),
  });
}

/**
 * Chooses the address that presigned addresses begin with. The local storage listens for this
 * machine only, so the gateway serves it to others below the public address.
 */
function chooseStorageAddress(
  { publicUrl }: ServiceOptions,
  storage: Listening & Partial<LocalStorage>,
) {
  const isBelow = publicUrl !== undefined && storage.serveBelow !== undefined;
  return isBelow ? `${publicUrl}${storagePath}` : storage.endpoint;
}

/** Sets the variables that Lambda would set. The claims are in the environment already. */
function setEnvironment(
  issuer: Issuer,
  ownIssuer: OwnIssuer | undefined,
  addresses: Readonly<Record<string, string>>,
): void {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    ...(!ownIssuer && { ISSUER: issuerName, AUDIENCE: audience, JWKS: issuer.jwks }),
    LOCAL_SIGN_IN: String(!ownIssuer),
    CURSOR_SECRET: issuer.cursorSecret,
    PASS_SECRET: issuer.passSecret,
    EVENT_BUS_NAME: busName,
    ...addresses,
    INPUTS_BUCKET: inputsBucket,
    RESULTS_BUCKET: resultsBucket,
    // A rate limit protects services with many users, so the laptop has none.
    ...(!ownIssuer && { CALLER_RATE: process.env.CALLER_RATE ?? 'off' }),
    WEBHOOKS_TO_LOOPBACK: process.env.WEBHOOKS_TO_LOOPBACK ?? 'false',
    SERVICE_NAME: 'slipway',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'WARN',
    METRICS_DISABLED: process.env.METRICS_DISABLED ?? 'true',
  });
}
