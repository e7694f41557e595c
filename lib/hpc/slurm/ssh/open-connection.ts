import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Algorithms, Client, ConnectConfig, ParsedKey, PublicKeyAuthMethod } from 'ssh2';
import { causeCode } from '#lib/outbound/cause-code.ts';
import { CredentialsRefusedError, SystemBusyError, SystemUnavailableError } from '../../errors.ts';
import {
  describeNode,
  fingerprint,
  isPinned,
  type LoginNode,
  listSignatures,
  type SshReach,
} from './login-node.ts';
import { certify } from './sign-in-as.ts';
import type { SshCredentials } from './ssh-credentials.ts';

/** How long a login node may take to let us in. */
const patienceMs = 20_000;

/** Nothing with SHA-1, CBC or short keys. */
const algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes256-ctr',
  ],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
} as const satisfies Algorithms;

/** A connection that lets us in, with the socket that keeps this process alive. */
export interface OpenedConnection {
  readonly client: Client;
  readonly socket: Socket;
}

/**
 * Connects to a login node, through its jump host if it has one. With an account, logs in as that by
 * a certificate instead of as the service's own user.
 */
export async function openConnection(
  reach: SshReach,
  { sshKey, caKey }: SshCredentials,
  account?: string,
): Promise<OpenedConnection> {
  // Loaded on first use, because most processes never connect. As a whole, because Node itself finds
  // only some names in this CommonJS.
  const { Client, utils } = (await import('ssh2')).default;
  const readKey = (name: string, text: string | undefined): ParsedKey => {
    const read = text === undefined ? new Error('it is missing') : utils.parseKey(text);
    if (!(read instanceof Error)) return read;
    throw new CredentialsRefusedError(`The ${name} cannot be read: ${read.message}.`);
  };
  const { jump } = reach;
  const own = readKey('sshKey', sshKey);
  const node = { ...reach, user: account ?? reach.user };
  const enter = (sock: Duplex) => {
    const client = new Client();
    const key = account === undefined ? own : certify(client, readKey('caKey', caKey), account);
    return logIn(client, node, { key, account }, sock);
  };
  const first = jump ?? node;
  const socket = connect({
    host: first.host,
    port: first.port ?? 22,
    // By TCP, because a timer of ssh2 would keep a process from ending.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    noDelay: true,
  });
  try {
    if (!jump) return { client: await enter(socket), socket };
    const between = await logIn(new Client(), jump, { key: own }, socket);
    const client = await enter(await forward(between, node));
    client.once('close', () => between.end());
    return { client, socket };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Asks the jump host for a way to the login node. */
function forward(client: Client, { host, port = 22 }: LoginNode): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 0, host, port, (error, stream) => {
      if (error === undefined) return resolve(stream);
      const reason = `${host}:${port} cannot be reached through the jump host: ${error.message}.`;
      reject(new SystemUnavailableError(reason));
    });
  });
}

/** The login node does not let us in as an account. That of others may still work. */
export class AccountRefusedError extends SystemBusyError {
  constructor(where: string, account: string) {
    super(`${where} does not accept the certificate (permission denied).`, 300, {
      said: `The login node does not let this service in as '${account}'. Ask an administrator.`,
    });
  }
}

interface Proof {
  readonly key: ParsedKey;
  /** The account that its certificate is for. */
  readonly account?: string | undefined;
}

/** Takes the socket at once, because nobody else hears of its errors. */
function logIn(
  client: Client,
  node: LoginNode,
  { key, account }: Proof,
  sock: Duplex,
): Promise<Client> {
  const username = node.user;
  const proof: PublicKeyAuthMethod = { type: 'publickey', username, key };
  let stranger: string | undefined;
  const config: ConnectConfig = {
    // A TCP socket, or a channel of the jump host.
    sock,
    username,
    authHandler: [proof],
    readyTimeout: patienceMs,
    algorithms: { ...algorithms, serverHostKey: listSignatures(node) },
    hostVerifier: (shown: Buffer) => {
      if (!isPinned(node, shown)) stranger = fingerprint(shown);
      return stranger === undefined;
    },
  };
  return new Promise((resolve, reject) => {
    client.once('ready', () => resolve(client));
    client.once('close', () =>
      reject(new SystemUnavailableError(`${describeNode(node)} hung up.`)),
    );
    // Also later ones, after which the connection closes.
    client.on('error', (error) => reject(explainRefusal(node, error, { stranger, account })));
    client.connect(config);
  });
}

function explainRefusal(
  node: LoginNode,
  error: Error & { readonly level?: string },
  { stranger, account }: { stranger: string | undefined; account: string | undefined },
): Error {
  const where = describeNode(node);
  if (stranger !== undefined) {
    return new SystemUnavailableError(
      `${where} shows a host key that the catalog does not name: ${stranger}. ` +
        'If the host has a new key, add it to hostKeys.',
    );
  }
  if (error.level === 'client-authentication') {
    if (account !== undefined) return new AccountRefusedError(where, account);
    return new CredentialsRefusedError(`${where} does not accept the key (permission denied).`);
  }
  return new SystemUnavailableError(`${where}: ${causeCode(error) ?? error.message}.`);
}
