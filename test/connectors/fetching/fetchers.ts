import { type ExecFileOptions, execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Fetching } from '#lib/catalog/input-addresses.ts';
import { readEntry } from '#lib/files/results/unpack-entries.ts';
import { fetchParts } from '#lib/files/staging/fetch-parts.ts';
import { writeBootstrap } from '#lib/hpc/aws-batch/bootstrap.ts';
import { writeContainerScript } from '#lib/hpc/aws-batch/container-script.ts';
import { buildScript, type ScriptTerms } from '#lib/hpc/script/build-script.ts';
import { scriptExits } from '#lib/hpc/script/script-terms.ts';
import { isFolder, openStoredZip, readEntries } from '#lib/zips/stored-zip.ts';
import { startShepherd } from '#local/shepherd/start-shepherd.ts';
import { startServer } from '#test/client/fixtures/http-server.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { prepareJob } from '#test/machine/job-on-machine.ts';

interface Wanted extends Fetching {
  /** How long it may take. */
  readonly seconds: number;
}

export interface Fetched {
  /** What the job says of a failure. */
  readonly failure: string | undefined;
  read(file: string): Buffer;
  /** The files of the job but its output, if the command ran. */
  list(): string[];
}

export async function fetchByScript(
  { seconds, ...fetching }: Wanted,
  more: Partial<ScriptTerms> = {},
): Promise<Fetched> {
  const directory = makeDirectory();
  const job = { command: 'cp -r deep kept', keepsResults: true, fetching };
  const script = buildScript(job, { limitSeconds: seconds + 1, reserveSeconds: 1, ...more });
  writeFileSync(join(directory, 'script'), script);
  const code = await run('bash', ['script'], { cwd: directory });
  const work = join(directory, 'job');
  const said = readFileSync(join(work, 'stderr'), 'utf8');
  return {
    failure:
      code === scriptExits.addressNotFetched ? said : code === 0 ? undefined : `${code}: ${said}`,
    read: (file) => readFileSync(join(work, file.replace('deep', 'kept'))),
    list: () => readdirSync(work).filter((name) => !['stdout', 'stderr'].includes(name)),
  };
}

export async function fetchByContainer({ seconds, ...fetching }: Wanted): Promise<Fetched> {
  const directory = makeDirectory();
  const script = writeContainerScript({
    command: 'cp -r deep kept',
    results: '/results?',
    fetching,
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
  const said = files.get('stderr')?.toString() ?? '';
  return {
    failure:
      code === scriptExits.addressNotFetched ? said : code === 0 ? undefined : `${code}: ${said}`,
    read: (file) => files.get(file.replace('deep', 'kept')) ?? Buffer.alloc(0),
    list: () => [...files.keys()].filter((name) => !['stdout', 'stderr'].includes(name)),
  };
}

export async function fetchByService({ seconds, ...fetching }: Wanted): Promise<Fetched> {
  const files = new Map<string, Buffer>();
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
    read: (file) => files.get(file) ?? Buffer.alloc(0),
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

export async function fetchByShepherd({ seconds, ...fetching }: Wanted): Promise<Fetched> {
  const job = prepareJob('cp -r deep kept', { seconds }, { fetching });
  await startShepherd(job.folder);
  const { cause, code, reason } = await job.ended();
  const work = join(job.folder, 'work');
  return {
    failure: cause === 'ended' && code === 0 ? undefined : reason,
    read: (file) => readFileSync(join(work, file.replace('deep', 'kept'))),
    list: () => readdirSync(work),
  };
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
  const directory = mkdtempSync(join(tmpdir(), 'slipway-fetching-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
