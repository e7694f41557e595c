import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { CatalogEnvironment, readEnvironment } from '#lib/config.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { checkSteps, NewerDataError } from '#lib/table/taken-steps.ts';
import { tableName } from '#local/names.ts';
import { EditionEnvironment, MachineCredentials, stateDirectory } from '#local/settings.ts';
import { findWhereabouts, type Whereabouts } from '#local/whereabouts.ts';
import { createProgressBar } from './run-tool.ts';

/** The lines about --table in the help of a tool. */
export const tableHelp = `  --table    a table on AWS, with your shell's region and credentials (AWS_PROFILE, AWS_REGION).
             Default: the table of the laptop edition that runs here. If several run, set DATA_DIR or
             PORT as it was started. AWS_ENDPOINT_URL_DYNAMODB names another DynamoDB`;

const EngineEnvironment = v.object({ AWS_ENDPOINT_URL_DYNAMODB: v.optional(v.string()) });

/** Opens the table named by option or environment, otherwise that of the running laptop edition. */
async function chooseTable(named: string | undefined) {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint } = readEnvironment(EngineEnvironment);
  if (endpoint !== undefined) {
    const table = openTable(named ?? tableName);
    return { table, description: `table ${table.name} at ${endpoint}` };
  }
  return named === undefined ? chooseLaptop() : chooseOnAws(named);
}

/** Finds the laptop edition that runs here. If several run, the environment says which one. */
export function findEdition(): Promise<Whereabouts | undefined> {
  return findWhereabouts(stateDirectory, readEnvironment(EditionEnvironment));
}

async function chooseLaptop() {
  const running = await findEdition();
  if (!running) {
    throw new Error(
      'No laptop edition is running here. Start one with `npm start`, or name a table on AWS: --table NAME.',
    );
  }
  // The embedded table checks no signatures, so any credentials work.
  const {
    AWS_REGION,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY = 'unused',
  } = readEnvironment(MachineCredentials);
  const { name, endpoint } = running.table;
  const table = openTable(name, {
    endpoint,
    region: AWS_REGION,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  });
  // The path of the endpoint is a secret.
  const { origin } = new URL(endpoint);
  return { table, description: `laptop at ${running.url} (its table: ${origin})` };
}

async function chooseOnAws(name: string) {
  const table = openTable(name);
  const region = await table.client.config.region().catch(() => {
    throw new Error(
      `No region for the table ${name}. Set AWS_REGION, or leave --table out for the laptop edition.`,
    );
  });
  return { table, description: `table ${name} in ${region}` };
}

/** Opens the table and names it on standard error, because standard output may go to a file. */
export async function openChosenTable(named: string | undefined): Promise<Table> {
  const { table, description } = await chooseTable(named);
  process.stderr.write(`Working on ${description}\n`);
  await refuseNewerData(table);
  return table;
}

/** Everything else that is wrong with a table is told by the tool that needs it. */
async function refuseNewerData(table: Table): Promise<void> {
  await checkSteps(table).catch((error: unknown) => {
    if (error instanceof NewerDataError) throw error;
  });
}

const ToolEnvironment = v.object({ ...CatalogEnvironment.entries, ...EngineEnvironment.entries });

/**
 * Reads the catalog that belongs to the table: the one named by CATALOG, or the one that the
 * running laptop edition serves. With another catalog, stored projects would be overlooked.
 */
export async function readTableCatalog(named: string | undefined): Promise<Catalog> {
  const { CATALOG, AWS_ENDPOINT_URL_DYNAMODB: endpoint } = readEnvironment(ToolEnvironment);
  if (CATALOG !== undefined || named !== undefined || endpoint !== undefined) {
    return readCatalog(CATALOG);
  }
  return readCatalog((await findEdition())?.catalog);
}

/** Handles each page of a scan of the whole table, and draws a progress bar. */
export async function followScan<Page extends { readonly itemsRead: number }>(
  table: Table,
  pages: AsyncIterable<Page>,
  take: (page: Page) => Promise<string>,
): Promise<void> {
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
  const bar = createProgressBar();
  for await (const page of pages) {
    const text = await take(page);
    bar.update(page.itemsRead, Math.max(page.itemsRead, Table?.ItemCount ?? 0), text);
  }
  bar.finish();
}
