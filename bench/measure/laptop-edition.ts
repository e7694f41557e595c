import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { addressOfConsole, openSignInKey } from '#local/credentials/sign-in-key.ts';
import { openIssuer } from '#local/issuer.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { catalogFile } from '#test/fixtures/catalog.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { runChild, startChild } from './processes.ts';

export type LaptopEdition = Awaited<ReturnType<typeof startLaptopEdition>>;

const program = join(import.meta.dirname, '../../local/start.ts');
const startSeconds = 60;

/**
 * Starts the laptop edition as `npm start` does, in its own process and with the data of a folder.
 */
export async function startLaptopEdition(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
) {
  mkdirSync(folder, { recursive: true });
  const port = environment.PORT ?? String(await findFreePort());
  const child = startChild({
    command: [process.execPath, program],
    folder,
    logFile: join(folder, 'out.log'),
    environment: {
      // Jobs really run with SYSTEMS, which a catalog would exclude.
      ...(environment.SYSTEMS === undefined && { CATALOG: catalogFile }),
      PORT: port,
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
  });
  // Not a host name, which may stand for two addresses.
  const url = `http://127.0.0.1:${port}`;
  await pollUntil('the laptop edition answers', startSeconds, async () => {
    const end = child.findEnd();
    if (end !== undefined) throw new Error(end);
    return (await answers(`${url}/status/`)) || undefined;
  });
  const state = join(folder, '.slipway');
  const issuer = openIssuer(state);
  const tokens = new Map<string, string>();
  const authorize = (user: string) => {
    // Signing a token for each request would be measured too.
    const token = tokens.get(user) ?? issuer.issueToken({ user, hours: 48 });
    tokens.set(user, token);
    return { authorization: `Bearer ${token}` };
  };
  return {
    url,
    /** The address of the console, with the key to sign in. */
    consoleUrl: addressOfConsole(url, openSignInKey(state)),
    /** Returns the header of a user's requests. */
    authorize,
    /** Sends a request of a user. Returns the answer's JSON, or throws if it is refused. */
    async call(
      user: string,
      path: string,
      { headers, ...init }: RequestInit = {},
    ): Promise<unknown> {
      const all = { ...authorize(user), ...headers };
      const answer = await fetch(`${url}${path}`, { ...init, headers: all });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    },
    readMemory: () => readMemory(child.pid),
    readProcessorSeconds: () => readProcessorSeconds(child.pid),
    stop: child.stop,
    /** Ends the process as a power failure would. The data of its folder stays. */
    kill: child.kill,
  };
}

export function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
}

/** Returns megabytes of memory in use, or undefined if the machine does not say. */
function readMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

/**
 * Returns processor seconds used so far, or undefined if the machine does not say. Linux counts
 * hundredths of a second. The name of a program may hold anything except a line end.
 */
function readProcessorSeconds(pid: number): number | undefined {
  try {
    const [, rest = ''] = /^.*\) (.*)$/m.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

/**
 * Seeds ended jobs into the folder of a laptop edition that is not running, in a separate process.
 * Seeding triggers no events, so no work is left over for the measurement.
 */
export async function seedFolder(folder: string, count: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const program = join(import.meta.dirname, 'fill-table.ts');
  const code = await runChild(process.execPath, [program, folder, String(count)]);
  if (code !== 0) throw new Error(`The ended jobs could not be brought in.`);
}

const submissionsAtOnce = 8;

/**
 * Writes the headers of a submission. Without changes, its job takes half a second on a simulated
 * system that runs an hour in a minute.
 */
export function describeJob(change: Readonly<Record<string, string | undefined>> = {}) {
  const fields = { command: 'python3 main.py', node_number: '1', core_number: '4' };
  return {
    'content-disposition': 'attachment; filename=job_file.zip',
    payload: JSON.stringify({ ...fields, runtime: '0.01', title: 'a job title', ...change }),
  };
}

/** Submits short jobs over HTTP. Throws unless all are accepted. */
export async function submitJobs({ call }: LaptopEdition, user: string, count: number) {
  await mapInParallel(
    Array.from({ length: count }),
    submissionsAtOnce,
    () => call(user, '/jobs/hpc_one/', { method: 'POST', headers: describeJob() }),
    { stopAtFailure: true },
  );
}
