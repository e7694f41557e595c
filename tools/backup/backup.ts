import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { chmod, realpath } from 'node:fs/promises';
import { request as sendHttp } from 'node:http';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { backupTarget } from '#local/dynamodb/answer-requests.ts';
import { fileNames, sealCopy } from '#local/dynamodb/store/open-database.ts';
import { stateDirectory } from '#local/settings.ts';
import { findEdition } from '../choose-table.ts';
import { runTool } from '../run-tool.ts';
import { copyTree } from './copy-tree.ts';

const help = `Copies the data of the laptop edition that runs here, while it runs: its database, the files of its
jobs, the folders of jobs on this machine, its key and its credentials (docs/on-premises.md).

  npm run backup -- FOLDER

FOLDER must not exist yet. It holds secrets and everybody's files, so only its owner can enter it. If
several editions run, set DATA_DIR or PORT as it was started.
`;

/** Files beside the data that a restored service needs: running jobs have passes made with the key. */
const stateFiles = ['issuer-key.pem', 'credentials.json'];

await runTool(help, {}, async (_, [given, ...more]) => {
  if (given === undefined || more.length > 0) {
    throw new Error('Name the folder to write: npm run backup -- /var/backups/slipway/today');
  }
  const edition = await findEdition();
  if (!edition) {
    throw new Error(
      'No laptop edition is running here. To back up a stopped one, copy its data folder (DATA_DIR).',
    );
  }
  if (edition.data === 'memory') throw new Error('This edition keeps nothing (DATA_DIR=memory).');
  const folder = resolve(given);
  refuseFolder(folder, edition.data);
  const draft = `${folder}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'data', 'dynamodb'), { recursive: true, mode: 0o700 });
  await copyAll(edition.data, edition.table.endpoint, draft);
  if (existsSync(folder)) rmSync(folder, { recursive: true });
  renameSync(draft, folder);
  process.stdout.write(`Backed up ${edition.data} to ${folder}\n`);
  return 0;
});

function refuseFolder(folder: string, data: string): void {
  const isInside = (inner: string, outer: string) => !relative(outer, inner).startsWith('..');
  if (isInside(folder, data) || isInside(data, folder)) {
    throw new Error(`${folder} overlaps the data itself. Choose a folder elsewhere.`);
  }
  if (existsSync(folder) && (!lstatSync(folder).isDirectory() || readdirSync(folder).length > 0)) {
    throw new Error(`${folder} exists already. Choose a new folder.`);
  }
}

/**
 * Copies the files before and after the database. So every file that the copied database knows is
 * there, even one that is removed from the service right after the database was copied.
 */
async function copyAll(data: string, endpoint: string, draft: string): Promise<void> {
  const place = await realpath(data);
  const files = () => copyTree(join(place, 'files/buckets'), join(draft, 'data/files/buckets'));
  await files();
  await copyDatabase(endpoint, join(draft, 'data/dynamodb', fileNames.main));
  await chmod(join(draft, 'data/dynamodb', fileNames.main), 0o600);
  sealCopy(join(draft, 'data/dynamodb'));
  await files();
  await copyTree(join(place, 'jobs'), join(draft, 'data/jobs'));
  for (const name of stateFiles) {
    const source = join(stateDirectory, name);
    if (existsSync(source)) await copyTree(await realpath(source), join(draft, name));
  }
}

/** Asks the service for a copy, because nothing else can open its database while it runs. */
async function copyDatabase(endpoint: string, file: string): Promise<void> {
  const {
    promise,
    resolve: settle,
    reject,
  } = Promise.withResolvers<{ status: number; body: string }>();
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': backupTarget };
  sendHttp(endpoint, { method: 'POST', headers }, (response) => {
    text(response).then((body) => settle({ status: response.statusCode ?? 0, body }), reject);
  })
    .on('error', reject)
    .end(JSON.stringify({ file }));
  const { status, body } = await promise;
  if (status === 200) return;
  const refusal = v.safeParse(
    v.pipe(v.string(), v.parseJson(), v.object({ message: v.string() })),
    body,
  );
  const reason = refusal.success ? refusal.output.message : `status ${status}`;
  throw new Error(
    `The database was not copied (${reason}). npm start must run without AWS_ENDPOINT_URL_DYNAMODB.`,
  );
}
