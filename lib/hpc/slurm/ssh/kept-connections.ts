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

/** sshd drops new connections at random while many others log in (MaxStartups). */
const tries = 3;

/** After a refusal nobody tries to connect for a while, because sites lock out who insists. */
const firstPauseMs = 1000;
const longestPauseMs = 60_000;

/** The one connection of this process to a login node, which all its connectors share. */
interface Kept {
  readonly gate: ReturnType<typeof openGate>;
  opening?: Promise<OpenedConnection> | undefined;
  running: number;
  idle?: NodeJS.Timeout | undefined;
  usedAtMs: number;
  refusals: number;
  refused?: { readonly error: unknown; readonly untilMs: number } | undefined;
}

const kept = new Map<string, Kept>();

/** Works on a channel of the connection to a login node. Opens the connection if there is none. */
export async function useConnection<Result>(
  reach: SshReach,
  credentials: SshCredentials,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const connection = findKept(reach, credentials);
  return connection.gate(async () => {
    const opened = await open(connection, reach, credentials);
    begin(connection, opened);
    try {
      return await work(opened.client);
    } finally {
      end(connection, opened);
    }
  });
}

/** Gives a connection up that does not answer any more. Whoever comes next opens another one. */
export function giveUp(client: Client): void {
  client.destroy();
}

function findKept(reach: SshReach, { sshKey }: SshCredentials): Kept {
  const { jump } = reach;
  const secret = createHash('sha256').update(sshKey).digest('base64');
  const pinned = [reach, ...(jump ? [jump] : [])].flatMap((node) => [
    describeNode(node),
    ...node.hostKeys,
  ]);
  const key = [...pinned, secret].join(' ');
  const known = kept.get(key);
  if (known) return known;
  const refuse = () => new SystemBusyError(`${describeNode(reach)}: too many calls wait.`);
  const gate = openGate({ width: channelsAtOnce, waiting: mostWaiting }, refuse);
  const fresh: Kept = { gate, running: 0, usedAtMs: 0, refusals: 0 };
  kept.set(key, fresh);
  return fresh;
}

async function open(
  connection: Kept,
  reach: SshReach,
  credentials: SshCredentials,
): Promise<OpenedConnection> {
  const { refused } = connection;
  if (refused && Date.now() < refused.untilMs) throw refused.error;
  // A process that was frozen does not know that its connection is gone.
  const isStale = connection.running === 0 && Date.now() - connection.usedAtMs > idleMs;
  if (connection.opening && !isStale) return connection.opening;
  if (connection.opening) close(await connection.opening);
  const opening = connectPatiently(reach, credentials);
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
): Promise<OpenedConnection> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await openConnection(reach, credentials);
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
function begin(connection: Kept, { socket }: OpenedConnection): void {
  connection.running += 1;
  clearTimeout(connection.idle);
  socket.ref();
}

function end(connection: Kept, opened: OpenedConnection): void {
  connection.running -= 1;
  connection.usedAtMs = Date.now();
  if (connection.running > 0) return;
  opened.socket.unref();
  connection.idle = setTimeout(() => close(opened), idleMs).unref();
}

function close({ client, socket }: OpenedConnection): void {
  client.end();
  socket.destroySoon();
}
