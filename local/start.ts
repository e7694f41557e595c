import { resolve } from 'node:path';
import { chooseSystems } from '#lib/catalog/chosen-systems.ts';
import { machineCatalog, readCatalog, shippedCatalog } from '#lib/catalog/file/read-catalog.ts';
import { BudgetEnvironment, CatalogEnvironment, readEnvironment } from '#lib/config.ts';
import { FencedError } from './dynamodb/replica/replica-folder.ts';
import { fitMachine } from './fit-machine.ts';
import { tableName } from './names.ts';
import { readGroupSettings } from './own-issuer.ts';
import { LocalEnvironment, stateDirectory } from './settings.ts';
import { startService } from './start-service.ts';
import { openSupervision } from './supervision.ts';
import { gatherLines, welcome, welcomeGroup } from './welcome.ts';
import { nameData, noteWhereabouts } from './whereabouts.ts';

const usualPort = 3000;

/** Tried one after the other if somebody else has the usual port. */
const nextPorts = Array.from({ length: 9 }, (_, at) => usualPort + 1 + at);

/** systemd does not start the service again after this one (slipway.service). */
const fencedExitCode = 78;

/** Runs `npm start`. Prints the welcome, or one line with the reason and exit code 1. */
async function main(): Promise<void> {
  const supervision = openSupervision();
  // Both are checked before anything is started.
  const settings = {
    ...readEnvironment(LocalEnvironment),
    ...readEnvironment(BudgetEnvironment),
  };
  const group = readGroupSettings();
  const catalogFile = chooseCatalog(settings);
  const { systems: listed } = readCatalog(catalogFile);
  const systems = catalogFile === machineCatalog ? fitMachine(listed) : listed;
  chooseSystems(systems);
  const { PORT: port = usualPort } = settings;
  // Whoever relies on an address has a setting that says so.
  const isAddressKnown =
    settings.PUBLIC_URL !== undefined || group.ownIssuer || supervision.keptSocket !== undefined;
  const mayMove = settings.PORT === undefined && !isAddressKnown;
  const lines = gatherLines((text) => process.stdout.write(text));
  const service = await startService({
    port,
    otherPorts: mayMove ? nextPorts : [],
    ...group,
    keptSocket: supervision.keptSocket,
    mayRunAsRoot: settings.RUN_AS_ROOT === 'true',
    dataDirectory: settings.DATA_DIR,
    dataCheck: settings.DATA_CHECK,
    ...(settings.REPLICA_DIR !== undefined && {
      replica: { place: settings.REPLICA_DIR, onFenced: fail },
    }),
    hooksDirectory: settings.HOOKS_DIR,
    dynamoDbEndpoint: settings.AWS_ENDPOINT_URL_DYNAMODB,
    dynamoDbPort: settings.DYNAMODB_PORT,
    storageEndpoint: settings.AWS_ENDPOINT_URL_S3,
    publicUrl: settings.PUBLIC_URL,
    ...(settings.CORS_ORIGINS && { corsOrigins: settings.CORS_ORIGINS }),
    runsJobs: true,
    usesThreads: true,
    metricsPort: settings.METRICS_PORT,
    onAnswer: ({ method, path, status, ms }) =>
      lines.write(`${method} ${path} ${status} ${ms.toFixed(0)} ms\n`),
  });
  if (mayMove && service.port !== port) {
    process.stdout.write(`Port ${port} is in use, so Slipway listens on port ${service.port}.\n`);
  }
  const forgetWhereabouts = noteWhereabouts(stateDirectory, {
    pid: process.pid,
    url: service.url,
    data: nameData(settings.DATA_DIR),
    ...(group.ownIssuer && { issuer: group.ownIssuer.identity.ISSUER }),
    table: { name: tableName, endpoint: service.dynamoDbEndpoint },
    catalog: resolve(catalogFile),
  });
  let stopping = false;
  const stop = async () => {
    if (stopping) process.exit(130);
    stopping = true;
    await supervision.reportStopping();
    forgetWhereabouts();
    await service.close();
    lines.write('Stopped.\n');
    lines.flush();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.stdout.write(
    group.ownIssuer
      ? welcomeGroup(service, group.ownIssuer.identity, settings, systems)
      : welcome(service, settings, systems),
  );
  await supervision.reportReady();
  if (service.metricsUrl) lines.write(`Figures for Prometheus: ${service.metricsUrl}\n`);
}

/** Returns the file of the catalog: the operator's own, or one of the two that ship. */
function chooseCatalog({ SYSTEMS }: { readonly SYSTEMS?: string | undefined }): string {
  const { CATALOG } = readEnvironment(CatalogEnvironment);
  if (CATALOG !== undefined && SYSTEMS !== undefined) {
    throw new Error('CATALOG and SYSTEMS both choose the systems. Leave one of them out.');
  }
  return CATALOG ?? (SYSTEMS === 'simulated' ? shippedCatalog : machineCatalog);
}

main().catch(fail);

/** Ends at once when another machine has taken over: every answer would be out of date. */
function fail(error: unknown): void {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(error instanceof FencedError ? fencedExitCode : 1);
}

function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error) {
    return `Port ${error.port} is in use. Choose another one: PORT=${Number(error.port) + 1} npm start`;
  }
  return error.message;
}
