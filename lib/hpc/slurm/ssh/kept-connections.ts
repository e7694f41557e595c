import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'ssh2';
import { openGate } from '#lib/concurrency/open-gate.ts';
import { CredentialsRefusedError, SystemBusyError } from '../../errors.ts';
import { describeNode, type SshReach } from './login-node.ts';
import { type OpenedConnection, openConnection } from './open-connection.ts';
import type { SshCredentials } from './ssh-credentials.ts';

/** Below the 10 sessions that sshd allows on one connection by default (MaxSessions). */
const channelsAtOnce = 8;
const mostWaiting = 1000;

/** Longer than the minute between two sweeps, so that they share a connection. */
const idleMs = 120_000;

/** A person submits a few jobs in a row. */
const accountIdleMs = 10_000;

/** sshd drops new connections at random while many others log in (MaxStartups). */
const tries = 3;

/** After a refusal nobody tries to connect for a while, because sites lock out who insists. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** The one connection of this process to a login node as one user. All its connectors share it. */
interface Kept {
  opening?: Promise<OpenedConnection> | undefined;
  running: number;
  idle?: NodeJS.Timeout | undefined;
  usedAtMs: number;
  refusals: number;
  refused?: { readonly error: unknown; readonly untilMs: number } | undefined;
}

/** All users of a login node share its channels. The service's own has the empty name. */
interface Host {
  readonly gate: ReturnType<typeof openGate>;
  readonly users: Map<string, Kept>;
}

const hosts = new Map<string, Host>();

/**
 * Works on a channel of the connection to a login node, as an account or as the service's own user.
 * Opens the connection if there is none.
 */
export async function useConnection<Result>(
  reach: SshReach,
  credentials: SshCredentials,
  account: string | undefined,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { gate, users } = findHost(reach, credentials);
  return gate(async () => {
    closeIdle(users);
    const connection = users.get(account ?? '') ?? { running: 0, usedAtMs: 0, refusals: 0 };
    users.set(account ?? '', connection);
    connection.running += 1;
    clearTimeout(connection.idle);
    try {
      const opened = await open(connection, () => connectPatiently(reach, credentials, account));
      opened.socket.ref();
      return await work(opened.client);
    } finally {
      connection.running -= 1;
      connection.usedAtMs = Date.now();
      if (connection.running === 0)
        rest(connection, account === undefined ? idleMs : accountIdleMs);
    }
  });
}

/** Gives a connection up that does not answer any more. Whoever comes next opens another one. */
export function giveUp(client: Client): void {
  client.destroy();
}

function findHost(reach: SshReach, { sshKey, caKey = '' }: SshCredentials): Host {
  const { jump } = reach;
  const secret = createHash('sha256').update(`${sshKey} ${caKey}`).digest('base64');
  const pinned = [reach, ...(jump ? [jump] : [])].flatMap((node) => [
    describeNode(node),
    ...node.hostKeys,
  ]);
  const key = [...pinned, secret].join(' ');
  const known = hosts.get(key);
  if (known) return known;
  const refuse = () => new SystemBusyError(`${describeNode(reach)}: too many calls wait.`);
  const gate = openGate({ width: channelsAtOnce, waiting: mostWaiting }, refuse);
  const fresh: Host = { gate, users: new Map() };
  hosts.set(key, fresh);
  return fresh;
}

/** Forgets accounts that nobody needs, and keeps no more connections than there are channels. */
function closeIdle(users: Host['users']): void {
  const idle = [...users]
    .filter(([account, { running }]) => account !== '' && running === 0)
    .toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs);
  for (const [account, { opening, refused }] of idle) {
    if (opening && users.size <= channelsAtOnce) continue;
    if (refused && Date.now() < refused.untilMs) continue;
    users.delete(account);
    opening?.then(close, () => undefined);
  }
}

async function open(
  connection: Kept,
  connect: () => Promise<OpenedConnection>,
): Promise<OpenedConnection> {
  const { refused } = connection;
  if (refused && Date.now() < refused.untilMs) throw refused.error;
  // A process that was frozen does not know that its connection is gone.
  const isStale = connection.running === 1 && Date.now() - connection.usedAtMs > idleMs;
  if (connection.opening && !isStale) return connection.opening;
  if (connection.opening) close(await connection.opening);
  const opening = connect();
  connection.opening = opening;
  connection.usedAtMs = Date.now();
  const forget = () => {
    if (connection.opening === opening) connection.opening = undefined;
  };
  try {
    const opened = await opening;
    opened.client.once('close', forget);
    connection.refusals = 0;
    connection.refused = undefined;
    return opened;
  } catch (error) {
    forget();
    pauseAfter(connection, error);
    throw error;
  }
}

function pauseAfter(connection: Kept, error: unknown): void {
  connection.refusals += 1;
  const isHopeless = error instanceof CredentialsRefusedError;
  const longest = Math.min(longestPauseMs, firstPauseMs * 2 ** connection.refusals);
  const pauseMs = (isHopeless ? longestPauseMs : longest) * (0.5 + Math.random() / 2);
  connection.refused = { error, untilMs: Date.now() + pauseMs };
}

async function connectPatiently(
  reach: SshReach,
  credentials: SshCredentials,
  account: string | undefined,
): Promise<OpenedConnection> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await openConnection(reach, credentials, account);
    } catch (error) {
      if (left === 0 || !isDropped(error)) throw error;
      await sleep(300 + Math.random() * 700);
    }
  }
}

function isDropped(error: unknown): boolean {
  return error instanceof Error && /hung up|ECONNRESET|lost before handshake/.test(error.message);
}

/** A connection keeps this process alive only while somebody uses it. */
function rest(connection: Kept, keptMs: number): void {
  const { opening } = connection;
  opening?.then(
    ({ socket }) => socket.unref(),
    () => undefined,
  );
  connection.idle = setTimeout(() => {
    opening?.then(close, () => undefined);
  }, keptMs).unref();
}

function close({ client, socket }: OpenedConnection): void {
  client.end();
  socket.destroySoon();
}
