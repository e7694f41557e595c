import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { findFreePort } from '../engines/find-free-port.ts';
import { compileCache, end, type Home, projectRoot, readUntil } from '../fixtures/edition.ts';

/** Starts a process per line, each with the socket that systemd-socket-activate has opened. */
const keeper = `
while read -r line; do
  sh -c 'LISTEN_PID=$$ exec "$@"' service "$@" &
  echo "started $!"
done
`;

export interface KeptSocket {
  readonly url: string;
  /** What all services have printed. */
  readPrinted(): string;
  /** Starts a service beside the others, and returns its process. */
  startService(): Promise<number>;
}

/** Opens a socket that outlives the services that answer at it, as slipway.socket does. */
export async function keepSocket(
  home: Home,
  environment: Readonly<Record<string, string>>,
): Promise<KeptSocket> {
  const port = await findFreePort();
  const service = [process.execPath, `${projectRoot}/local/start.ts`];
  const settings = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache };
  const named = Object.entries({ ...settings, ...environment });
  const child = spawn(
    'systemd-socket-activate',
    [
      `--listen=127.0.0.1:${port}`,
      ...named.map(([name, value]) => `--setenv=${name}=${value}`),
      ...['sh', '-c', keeper, 'keeper', ...service],
    ],
    { cwd: home.path },
  );
  const pids: number[] = [];
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      printed += chunk;
    });
  }
  onTestFinished(async () => {
    for (const pid of pids) endQuietly(pid);
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM');
  });
  await readUntil(child, /Listening on/);
  // It starts the keeper with the first connection, which waits at the socket for a service.
  void fetch(`http://127.0.0.1:${port}/status/`).then((answer) => answer.body?.cancel());
  return {
    url: `http://127.0.0.1:${port}`,
    readPrinted: () => printed,
    async startService() {
      const started = readStarted(child, pids.length + 1, () => printed);
      child.stdin?.write('\n');
      const pid = await started;
      pids.push(pid);
      return pid;
    },
  };
}

async function readStarted(
  child: ChildProcess,
  count: number,
  readPrinted: () => string,
): Promise<number> {
  for (;;) {
    const { [count - 1]: found } = [...readPrinted().matchAll(/^started (\d+)$/gm)];
    if (found) return Number(found[1]);
    if (child.exitCode !== null) throw new Error(readPrinted());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
