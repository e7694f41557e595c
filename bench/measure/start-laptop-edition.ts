import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Issuer, openIssuer } from '#local/issuer.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { catalogFile } from '#test/fixtures/catalog.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { startChild } from './start-child.ts';

export interface LaptopEdition {
  readonly url: string;
  readonly issuer: Issuer;
  /** Megabytes of memory in use; nothing where this machine does not tell. */
  readMemory(): number | undefined;
  /** Seconds of the processor that it has used so far; nothing where this machine does not tell. */
  readProcessorSeconds(): number | undefined;
  stop(): Promise<void>;
}

const program = join(import.meta.dirname, '../../local/start.ts');
const startSeconds = 60;

/** What `npm start` starts, in a process and a folder of its own, with what is in there already. */
export async function startLaptopEdition(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<LaptopEdition> {
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const child = startChild({
    command: [process.execPath, program],
    folder,
    logFile: join(folder, 'out.log'),
    environment: {
      CATALOG: catalogFile,
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
  });
  // Not by a name, which may stand for two addresses.
  const url = `http://127.0.0.1:${port}`;
  await pollUntil('the laptop edition answers', startSeconds, async () => {
    const end = child.findEnd();
    if (end !== undefined) throw new Error(end);
    return (await answers(`${url}/status/`)) || undefined;
  });
  return {
    url,
    issuer: openIssuer(join(folder, '.slipway')),
    readMemory: () => readMemory(child.pid),
    readProcessorSeconds: () => readProcessorSeconds(child.pid),
    stop: child.stop,
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

function readMemory(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}

/** Linux counts in hundredths of a second; the name of a program may hold anything but a line end. */
function readProcessorSeconds(pid: number): number | undefined {
  try {
    const [, rest = ''] = /^.*\) (.*)$/m.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
