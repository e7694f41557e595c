import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientChannel } from 'ssh2';
import { AnswerTooLargeError, SystemUnavailableError } from '../../errors.ts';
import { giveUp, useConnection } from './kept-connections.ts';
import { describeNode, type SshReach } from './login-node.ts';
import { type RemoteCommand, readAfterMark, writeLine } from './remote-command.ts';
import type { SshCredentials } from './ssh-credentials.ts';

/** What a program printed, without what a profile printed before it. */
export interface RemoteEnd {
  /** Undefined if a signal ended it. */
  readonly code: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/** How long the answer of the login node itself may take. */
const graceMs = 15_000;

/** A list has every user's jobs, at about 3 kB each. */
const maxOutputBytes = 64_000_000;
const maxErrorBytes = 64_000;

/** The code of `timeout` for a program that it ended. */
const outOfTime = 124;

/** Runs a program on a login node, as one channel of the kept connection. */
export async function runRemotely(
  reach: SshReach,
  credentials: SshCredentials,
  command: RemoteCommand,
): Promise<RemoteEnd> {
  const mark = `slipway-${randomBytes(8).toString('hex')}`;
  const line = writeLine(command, mark, reach.commands);
  const { program, seconds, input = '' } = command;
  const name = `${describeNode(reach)}: ${program}`;
  const { code, output, errors } = await useConnection(reach, credentials, async (client) => {
    const late = () => new SystemUnavailableError(`${name}: no answer in time.`);
    const started = await within(graceMs, openChannel(client, line, name), client, late);
    started.channel.end(input);
    return within(seconds * 1000 + graceMs, started.printed, client, late);
  });
  if (code === outOfTime) {
    throw new SystemUnavailableError(`${name}: ended after ${seconds} s without an answer.`);
  }
  const own = readAfterMark(output, mark);
  const ownErrors = readAfterMark(errors, mark);
  if (own === undefined || ownErrors === undefined) {
    const said = [output, errors].join(' ').trim().slice(0, 200);
    throw new SystemUnavailableError(`${name}: the login shell ran no command. It says: ${said}`);
  }
  return { code, output: own, errors: ownErrors };
}

/** The pauses while sshd refuses another channel. The others end meanwhile. */
const refusalPausesMs = [300, 600, 1200, 2400];

async function openChannel(client: Client, line: string, name: string): Promise<Started> {
  for (const pauseMs of [...refusalPausesMs, undefined]) {
    try {
      return await startCommand(client, line, name);
    } catch (error) {
      // With a reason, sshd refused the channel before it ran anything.
      const isRefused = error instanceof Error && 'reason' in error;
      const message = error instanceof Error ? error.message : String(error);
      if (!isRefused || pauseMs === undefined) {
        throw new SystemUnavailableError(`${name}: ${message}.`);
      }
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
  throw new SystemUnavailableError(`${name}: no channel.`);
}

interface Started {
  readonly channel: ClientChannel;
  readonly printed: Promise<Printed>;
}

function startCommand(client: Client, line: string, name: string): Promise<Started> {
  return new Promise((resolve, reject) => {
    client.exec(line, (error, channel) => {
      if (error) return reject(error);
      // At once: the end of a short command may be in the same packet as its beginning.
      const printed = readChannel(channel, name);
      printed.catch(() => undefined);
      return resolve({ channel, printed });
    });
  });
}

type Printed = { code: number | undefined; output: string; errors: string };

function readChannel(channel: ClientChannel, name: string): Promise<Printed> {
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  let [bytes, errorBytes] = [0, 0];
  return new Promise((resolve, reject) => {
    let end: { code: number | undefined } | undefined;
    channel.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes <= maxOutputBytes) return output.push(piece);
      channel.close();
      return reject(new AnswerTooLargeError(`${name}: over ${maxOutputBytes} bytes.`));
    });
    channel.stderr.on('data', (piece: Buffer) => {
      errorBytes += piece.length;
      if (errorBytes <= maxErrorBytes) errors.push(piece);
    });
    channel.once('exit', (code: number | null) => {
      end = { code: code ?? undefined };
    });
    channel.once('close', () => {
      if (!end) return reject(new SystemUnavailableError(`${name}: the connection was lost.`));
      const text = (pieces: Buffer[]) => Buffer.concat(pieces).toString();
      return resolve({ ...end, output: text(output), errors: text(errors) });
    });
  });
}

/** A login node that is late even for its own clock is gone: everything on its connection is. */
async function within<Result>(
  ms: number,
  work: Promise<Result>,
  client: Client,
  late: () => Error,
): Promise<Result> {
  const clock = new AbortController();
  const isLate = sleep(ms, undefined, { signal: clock.signal }).then(() => {
    giveUp(client);
    throw late();
  });
  try {
    return await Promise.race([work, isLate]);
  } finally {
    clock.abort();
    isLate.catch(() => undefined);
  }
}
