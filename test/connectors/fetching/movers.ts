import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Fetching } from '#lib/catalog/input-addresses.ts';
import type { Sending } from '#lib/catalog/output-addresses.ts';
import { readEntry } from '#lib/files/results/unpack-entries.ts';
import { fetchParts } from '#lib/files/staging/fetch-parts.ts';
import { writeBootstrap } from '#lib/hpc/aws-batch/bootstrap.ts';
import { writeContainerScript } from '#lib/hpc/aws-batch/container-script.ts';
import { partsOfFolder } from '#lib/hpc/machine/record/job-folder.ts';
import { buildScript, type ScriptTerms } from '#lib/hpc/script/build-script.ts';
import { scriptExits } from '#lib/hpc/script/script-terms.ts';
import { isFolder, openStoredZip, readEntries } from '#lib/zips/stored-zip.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { startServer } from '#test/client/fixtures/http-server.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { prepareJob } from '#test/machine/job-on-machine.ts';

/** A job that moves files by itself. */
interface Moving {
  readonly command: string;
  readonly fetching?: Fetching;
  readonly sending?: Sending;
  /** How long it may take. */
  readonly seconds: number;
}

export interface Moved {
  /** What the job says of a failure. */
  readonly failure: string | undefined;
  read(file: string): Buffer;
  /** The files of the job but its output. */
  list(): string[];
}

const known: readonly unknown[] = [scriptExits.addressNotFetched, scriptExits.outputNotSent];

/** Leaves out the code where it is one of those for files that were not moved. */
function describeFailure(code: unknown, said: string): string | undefined {
  if (code === 0) return undefined;
  return known.includes(code) ? said : `${code}: ${said}`;
}

const isOutput = (name: string) => name === 'stdout' || name === 'stderr';

export async function moveByScript(
  { seconds, ...moving }: Moving,
  more: Partial<ScriptTerms> = {},
): Promise<Moved> {
  const directory = makeDirectory();
  const job = { ...moving, keepsResults: true };
  const script = buildScript(job, { limitSeconds: seconds + 1, reserveSeconds: 1, ...more });
  writeFileSync(join(directory, 'script'), script);
  const code = await run('bash', ['script'], { cwd: directory });
  const work = join(directory, 'job');
  return {
    failure: describeFailure(code, readFileSync(join(work, 'stderr'), 'utf8')),
    read: (file) => readFileSync(join(work, file)),
    list: () => listFiles(work).filter((name) => !isOutput(name)),
  };
}

async function moveByContainer({ seconds, ...moving }: Moving): Promise<Moved> {
  const directory = makeDirectory();
  const script = writeContainerScript({
    ...moving,
    results: '/results?',
    limitSeconds: seconds + 1,
    reserveSeconds: 1,
  });
  let zip = Buffer.alloc(0);
  const url = await startServer(async (request, response) => {
    const { url: path = '', method } = request;
    if (method === 'GET') return response.end(script);
    if (path.startsWith('/results')) {
      return response.writeHead(307, { location: `${url}/storage` }).end();
    }
    zip = await buffer(request);
    return response.end();
  });
  const [, ...options] = writeBootstrap({ address: `${url}/handover/J/script/?pass=s` });
  const code = await run('/usr/bin/python3', options, { cwd: '/', env: { TMPDIR: directory } });
  const files = await unzip(zip);
  return {
    failure: describeFailure(code, files.get('stderr')?.toString() ?? ''),
    read: (file) => files.get(file) ?? Buffer.alloc(0),
    list: () => [...files.keys()].filter((name) => !isOutput(name)).toSorted(),
  };
}

/** The service runs no command, so what would be copied is what was fetched. */
export async function fetchByService({ seconds, fetching }: Moving): Promise<Moved> {
  const files = new Map<string, Buffer>();
  if (!fetching) throw new Error('There is nothing to fetch.');
  const failure = await fetchParts(fetching, seconds).then(
    async (spool) => {
      for (const part of spool.listParts()) files.set(part.name, await buffer(part.open()));
      await spool.close();
      return undefined;
    },
    (error: Error) => error.message,
  );
  return {
    failure,
    read: (file) => files.get(file.replace(/^kept\b/, 'deep')) ?? Buffer.alloc(0),
    list: () => [...files.keys()],
  };
}

function run(
  program: string,
  words: readonly string[],
  options: ExecFileOptions,
): Promise<unknown> {
  return new Promise((resolve) => {
    execFile(program, words, options, (error) => resolve(error?.code ?? 0));
  });
}

async function moveByShepherd({ command, seconds, ...moving }: Moving): Promise<Moved> {
  const job = prepareJob(command, { seconds }, moving);
  await startShepherd(job.folder);
  const { cause, code, reason } = await job.ended();
  const work = join(job.folder, partsOfFolder.work);
  const said = readFileSync(join(job.folder, partsOfFolder.stderr), 'utf8');
  return {
    failure: cause === 'ended' && code === 0 ? undefined : `${reason}\n${said}`,
    read: (file) => readFileSync(join(work, file)),
    list: () => listFiles(work),
  };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
}

async function unzip(zip: Buffer): Promise<Map<string, Buffer>> {
  const { results } = createMemoryFiles();
  await results.put('zip', zip);
  const opened = await openStoredZip(results, 'zip', zip.length);
  const files = new Map<string, Buffer>();
  for (const entry of await readEntries(opened)) {
    if (!isFolder(entry)) files.set(entry.fileName, Buffer.from(await readEntry(opened, entry)));
  }
  return files;
}

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-moving-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** How each kind of system moves files. */
export const movers = [
  { name: 'a script of bash and curl', run: moveByScript },
  { name: 'the Python of a container', run: moveByContainer },
  { name: 'a shepherd', run: moveByShepherd },
];
