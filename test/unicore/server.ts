import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startDaemon } from '#test/slurm/daemon.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { makeCertificates } from './certificates.ts';
import { configure, jobDirectories } from './configuration.ts';
import { type LineRequest, startLine } from './delaying-line.ts';
import { fetchJars } from './jars.ts';
import { endMarked } from './marked-processes.ts';

export interface Unicore {
  /** Ends with /rest/core. */
  readonly baseUrl: string;
  readonly user: string;
  readonly password: string;
  /** The authority that its certificate is by: NODE_EXTRA_CA_CERTS, or tls.setDefaultCACertificates. */
  readonly caFile: string;
  readonly caPem: string;
  readonly directory: string;
  /** All requests so far. */
  readonly requests: readonly LineRequest[];
  /** The ids of the jobs that have a directory. */
  listJobDirectories(): Promise<string[]>;
  directoryOf(job: string): string;
  /** Ends exactly the processes that were started, jobs too, then removes the directory. */
  close(): Promise<void>;
}

export interface UnicoreOptions {
  /** How long the storage of a new job is INITIALIZING. */
  readonly storageDelayMs?: number;
  /** The accounts that the user may use; the first one is used if none is asked for. */
  readonly accounts?: readonly string[];
  /** How many jobs run at once. */
  readonly jobLimit?: number;
}

const marker = 'SLIPWAY_UNICORE';

/** A real UNICORE/X with its embedded target system, on loopback. Jobs run as the user of the tests. */
export async function startUnicore(options: UnicoreOptions = {}): Promise<Unicore> {
  const jars = await fetchJars();
  const directory = await mkdtemp(join(tmpdir(), 'slipway-unicore-'));
  const endings: (() => Promise<unknown>)[] = [];
  const removeAtExit = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
    await endMarked(marker, directory);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    process.off('exit', removeAtExit);
  };
  try {
    return { ...(await startParts(jars, directory, endings, options)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startParts(
  jars: string,
  directory: string,
  endings: (() => Promise<unknown>)[],
  { storageDelayMs = 0, accounts = ['researcher'], jobLimit = 20 }: UnicoreOptions,
): Promise<Omit<Unicore, 'close'>> {
  const certificates = await makeCertificates(directory);
  const line = await startLine(certificates, storageDelayMs);
  endings.push(line.close);
  const port = await findFreePort();
  line.connect(port);
  const user = 'demouser';
  const password = randomBytes(16).toString('hex');
  const externalUrl = line.url;
  const identity = { user, password, accounts };
  const file = await configure({
    ...{ directory, port, externalUrl, certificates, jobLimit, ...identity },
  });
  const { caPem } = certificates;
  const get = () => askServer(port, caPem, `${user}:${password}`);
  const daemon = await startDaemon({
    name: 'UNICORE/X',
    // One thread collects garbage, and two processors are shared with the tests.
    command: [
      ...['java', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
      ...['-cp', join(jars, '*'), 'eu.unicore.uas.UAS', file],
    ],
    logFile: join(directory, 'unicorex.log'),
    environment: { [marker]: directory },
    isReady: async () => (await get()) !== undefined,
  });
  endings.push(() => daemon.stop());
  // The services are added one after the other: at first it answers with a page, then with JSON, and
  // refuses jobs (401) until it has a target system.
  await pollUntil('UNICORE/X takes jobs', 90, async () => {
    const answer = await get();
    return answer?.includes('target_system_factory') ? answer : undefined;
  });
  return {
    baseUrl: `${externalUrl}/rest/core`,
    user,
    password,
    caFile: certificates.caFile,
    caPem,
    directory,
    requests: line.requests,
    listJobDirectories: () => readdir(join(directory, jobDirectories)),
    directoryOf: (job) => join(directory, jobDirectories, job),
  };
}

/** The body of the answer; undefined as long as there is none. */
function askServer(port: number, ca: string, auth: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { Accept: 'application/json' };
    const address = `https://127.0.0.1:${port}/rest/core/factories`;
    const call = request(address, { ca, auth, headers, agent: false }, (answer) => {
      text(answer).then(resolve, () => resolve(undefined));
    });
    call.once('error', () => resolve(undefined));
    call.end();
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
