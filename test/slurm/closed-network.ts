import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Daemon, startDaemon } from './daemon.ts';

const run = promisify(execFile);

/** A network of its own, from which no route leads out. Returns what leads into it. */
export async function startNetwork(
  directory: string,
): Promise<Daemon & { readonly entrance: readonly string[] }> {
  // Without an address besides loopback, the C library resolves none.
  const begin = [
    'ip link set lo up && ip link add inside type veth peer name other',
    'ip addr add 192.0.2.2/32 dev inside && ip link set inside up && ip link set other up',
    'exec sleep infinity',
  ].join(' && ');
  const entranceOf = (pid: number) => ['nsenter', `--net=/proc/${pid}/ns/net`];
  const daemon = await startDaemon({
    name: 'network',
    command: ['unshare', '--net', 'sh', '-c', begin],
    logFile: join(directory, 'network.log'),
    isReady: async (pid) => {
      const [program = '', ...rest] = [...entranceOf(pid), 'ip', 'address', 'show', 'inside'];
      const { stdout } = await run(program, rest).catch(() => ({ stdout: '' }));
      // Before it has a network of its own, it shows that of the machine.
      return stdout.includes('192.0.2.2') && (await isAlone(entranceOf(pid)));
    },
  });
  return { ...daemon, entrance: entranceOf(daemon.pid) };
}

async function isAlone([program = '', ...rest]: readonly string[]): Promise<boolean> {
  const { stdout } = await run(program, [...rest, 'ip', 'route', 'show', 'table', 'main']);
  const links = await run(program, [...rest, 'readlink', '/proc/self/ns/net']);
  const own = await run('readlink', ['/proc/self/ns/net']);
  return stdout.trim() === '' && links.stdout !== own.stdout;
}

/** The one door of such a network: each connection to a port of the machine has its own process. */
export async function openDoor(
  port: number,
  command: readonly string[],
  logFile: string,
): Promise<Pick<Daemon, 'stop'>> {
  const [program = '', ...rest] = command;
  const inside = new Map<ChildProcess, Socket>();
  // Its own file, because sessions write to it until they end, which may be after the directory.
  const log = openSync(logFile, 'a');
  const server = createServer((socket) => {
    const child = spawn(program, rest, { cwd: '/', stdio: ['pipe', 'pipe', log] });
    const { stdin, stdout } = child;
    if (!stdin || !stdout) throw new Error('The door has no pipes.');
    inside.set(child, socket);
    child.once('exit', () => inside.delete(child));
    const end = () => {
      child.kill();
      socket.destroy();
    };
    for (const each of [socket, stdin, stdout]) each.once('error', end);
    socket.pipe(stdin);
    stdout.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    async stop() {
      for (const [child, socket] of inside) {
        child.kill('SIGKILL');
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
      closeSync(log);
    },
  };
}
