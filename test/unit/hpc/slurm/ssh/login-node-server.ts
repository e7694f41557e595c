import { type AddressInfo, createServer } from 'node:net';
import { type Connection, Server, type ServerChannel, utils } from 'ssh2';
import { onTestFinished } from 'vitest';
import type { SshReach } from '#lib/hpc/slurm/ssh/login-node.ts';

/** What an imitated login node does with a command: prints, and ends with a code. */
export type Play = (line: string, channel: ServerChannel) => void;

export interface LoginNodeServer {
  readonly reach: SshReach;
  readonly sshKey: string;
  /** How often somebody connected, and how many channels were open at once at most. */
  readonly connections: () => number;
  readonly mostChannels: () => number;
  /** The next connections are dropped before anybody logs in. */
  drop(count: number): void;
  /** From now on only so many channels may be open at once. */
  allowChannels(count: number): void;
  /** Ends all connections. */
  hangUp(): void;
}

/** Makes another key if one cannot be read, which was seen with ssh2 now and then. */
export function makeKeyPair(): { readonly public: string; readonly private: string } {
  for (;;) {
    const pair = utils.generateKeyPairSync('ed25519');
    if (!(utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}

/** An sshd in this process, which runs nothing but plays. */
export async function startLoginNode(play: Play): Promise<LoginNodeServer> {
  const [host, user] = [makeKeyPair(), makeKeyPair()];
  const accepted = utils.parseKey(user.public);
  if (accepted instanceof Error) throw accepted;
  const open = new Set<Connection>();
  let [connections, channels, most, dropping, allowed] = [0, 0, 0, 0, 10];
  const server = new Server({ hostKeys: [host.private] }, (client) => {
    open.add(client);
    client.on('error', () => undefined);
    client.on('close', () => open.delete(client));
    client.on('authentication', (asked) => {
      const isKnown =
        asked.method === 'publickey' && asked.key.data.equals(accepted.getPublicSSH());
      if (isKnown) asked.accept();
      else asked.reject(['publickey']);
    });
    client.on('session', (accept, reject) => {
      if (channels >= allowed) return reject();
      channels += 1;
      most = Math.max(most, channels);
      const session = accept();
      session.once('close', () => {
        channels -= 1;
      });
      session.on('exec', (acceptExec, _, { command }) => play(command, acceptExec()));
      return undefined;
    });
  });
  const front = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    if (dropping > 0) {
      dropping -= 1;
      socket.destroy();
    } else server.injectSocket(socket);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const hangUp = () => {
    for (const client of open) client.end();
  };
  onTestFinished(async () => {
    hangUp();
    await new Promise((resolve) => front.close(resolve));
  });
  const [type = '', key = ''] = host.public.split(' ');
  const { port } = front.address() as AddressInfo;
  return {
    reach: { host: '127.0.0.1', port, user: 'slipway', hostKeys: [`${type} ${key}`] },
    sshKey: user.private,
    connections: () => connections,
    mostChannels: () => most,
    drop(count) {
      dropping = count;
    },
    allowChannels(count) {
      allowed = count;
    },
    hangUp,
  };
}

/** The mark that a command prints first. */
export function markOf(line: string): string {
  const [mark = ''] = /slipway-[0-9a-f]{16}/.exec(line) ?? [];
  return mark;
}

/** Ends as a program that printed this. */
export function printing(output: string, { errors = '', code = 0 } = {}): Play {
  return (line, channel) => {
    channel.write(`${markOf(line)}\n${output}`);
    channel.stderr.write(`${markOf(line)}\n${errors}`);
    channel.exit(code);
    channel.end();
  };
}

/** Another host key, which no login node has. */
export function makeStranger(): string {
  return makeKeyPair().public.split(' ').slice(0, 2).join(' ');
}
