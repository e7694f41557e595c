import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientChannel } from 'ssh2';
import { causeCode } from '#lib/outbound/cause-code.ts';
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
  const call = describeCall(reach, command);
  const { code, output, errors } = await useConnection(
    reach,
    credentials,
    call.account,
    async (client) => {
      const { channel, attached } = await openChannel(client, call, readChannel);
      send(command.input, channel);
      return within(command.seconds * 1000 + graceMs, attached, client, call.late);
    },
  );
  call.judgeTime(code);
  const own = readAfterMark(output, call.mark);
  const ownErrors = readAfterMark(errors, call.mark);
  if (own === undefined || ownErrors === undefined) {
    throw call.ranNothing([output, errors].join(' '));
  }
  return { code, output: own, errors: ownErrors };
}

/**
 * Does the same for output of any length, and yields it as it comes. The caller must read it to its
 * end or return it. Throws what `judge` makes of another exit code than 0.
 */
export async function readRemotely(
  reach: SshReach,
  credentials: SshCredentials,
  command: RemoteCommand,
  judge: (end: RemoteEnd) => Error,
): Promise<AsyncGenerator<Buffer, void>> {
  const call = describeCall(reach, command);
  const opened = Promise.withResolvers<Opened<Promise<Printed>>>();
  const over = Promise.withResolvers<void>();
  useConnection(reach, credentials, call.account, async (client) => {
    opened.resolve(await openChannel(client, call, watchChannel));
    await over.promise;
  }).catch(opened.reject);
  const { channel, attached } = await opened.promise;
  send(command.input, channel);
  return readPieces();

  async function* readPieces(): AsyncGenerator<Buffer, void> {
    try {
      const hasBegun = yield* passAfterMark(channel, call.mark);
      const { code, errors } = await attached;
      call.judgeTime(code);
      const ownErrors = readAfterMark(errors, call.mark);
      if (!hasBegun || ownErrors === undefined) throw call.ranNothing(errors);
      if (code !== 0) throw judge({ code, output: '', errors: ownErrors });
    } catch (error) {
      const wasLost = causeCode(error) === 'ERR_STREAM_PREMATURE_CLOSE';
      throw wasLost ? new SystemUnavailableError(`${call.name}: the connection was lost.`) : error;
    } finally {
      channel.close();
      over.resolve();
    }
  }
}

/** Passes on what comes after the mark. Returns false if it never came. */
async function* passAfterMark(
  pieces: AsyncIterable<Buffer>,
  mark: string,
): AsyncGenerator<Buffer, boolean> {
  let before: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (before === undefined) {
      yield piece;
      continue;
    }
    before = Buffer.concat([before, piece]);
    const at = before.indexOf(`${mark}\n`);
    if (at < 0 && before.length > maxErrorBytes) return false;
    if (at < 0) continue;
    yield before.subarray(at + mark.length + 1);
    before = undefined;
  }
  return before === undefined;
}

interface Call {
  readonly mark: string;
  readonly line: string;
  /** What it is called in the log. */
  readonly name: string;
  /** The account to log in as; undefined for the service's own. */
  readonly account: string | undefined;
  late(): Error;
  ranNothing(said: string): Error;
  judgeTime(code: number | undefined): void;
}

function describeCall(reach: SshReach, command: RemoteCommand): Call {
  const mark = `slipway-${randomBytes(8).toString('hex')}`;
  const { program, seconds } = command;
  const name = `${describeNode(reach)}: ${program}`;
  return {
    mark,
    line: writeLine(command, mark, reach),
    name,
    account: reach.accounts === 'certificate' ? command.as : undefined,
    late: () => new SystemUnavailableError(`${name}: no answer in time.`),
    ranNothing: (said) =>
      new SystemUnavailableError(
        `${name}: the login shell ran no command. It says: ${said.trim().slice(0, 200)}`,
      ),
    judgeTime(code) {
      if (code !== outOfTime) return;
      throw new SystemUnavailableError(`${name}: ended after ${seconds} s without an answer.`);
    },
  };
}

function send(input: RemoteCommand['input'], channel: ClientChannel): void {
  if (typeof input === 'object') {
    // What went wrong shows in the end of the program, which may also stop reading early.
    pipeline(input, channel).catch(() => channel.end());
  } else {
    channel.end(input ?? '');
  }
}

/** The pauses while sshd refuses another channel. The others end meanwhile. */
const refusalPausesMs = [300, 600, 1200, 2400];

interface Opened<Attached> {
  readonly channel: ClientChannel;
  readonly attached: Attached;
}

type Attach<Attached> = (channel: ClientChannel, name: string) => Attached;

/** Attaches what reads a channel at once: the end of a short command may come with its beginning. */
async function openChannel<Attached>(
  client: Client,
  { line, name, late }: Call,
  attach: Attach<Attached>,
): Promise<Opened<Attached>> {
  for (const pauseMs of [...refusalPausesMs, undefined]) {
    try {
      return await within(graceMs, startCommand(client, line, name, attach), client, late);
    } catch (error) {
      // With a reason, sshd refused the channel before it ran anything.
      const isRefused = error instanceof Error && 'reason' in error;
      if (error instanceof SystemUnavailableError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      if (!isRefused || pauseMs === undefined) {
        throw new SystemUnavailableError(`${name}: ${message}.`);
      }
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
  throw new SystemUnavailableError(`${name}: no channel.`);
}

function startCommand<Attached>(
  client: Client,
  line: string,
  name: string,
  attach: Attach<Attached>,
): Promise<Opened<Attached>> {
  return new Promise((resolve, reject) => {
    client.exec(line, (error, channel) => {
      if (error) return reject(error);
      return resolve({ channel, attached: attach(channel, name) });
    });
  });
}

type Printed = { code: number | undefined; output: string; errors: string };

function readChannel(channel: ClientChannel, name: string): Promise<Printed> {
  const output: Buffer[] = [];
  let bytes = 0;
  const tooLarge = Promise.withResolvers<never>();
  channel.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxOutputBytes) return output.push(piece);
    channel.close();
    return tooLarge.reject(new AnswerTooLargeError(`${name}: over ${maxOutputBytes} bytes.`));
  });
  const ended = watchChannel(channel, name).then((end) => ({
    ...end,
    output: Buffer.concat(output).toString(),
  }));
  const printed = Promise.race([ended, tooLarge.promise]);
  printed.catch(() => undefined);
  return printed;
}

/** Collects what a program says of its end. Its output is read by somebody else. */
function watchChannel(channel: ClientChannel, name: string): Promise<Printed> {
  const errors: Buffer[] = [];
  let errorBytes = 0;
  let end: { code: number | undefined } | undefined;
  channel.stderr.on('data', (piece: Buffer) => {
    errorBytes += piece.length;
    if (errorBytes <= maxErrorBytes) errors.push(piece);
  });
  channel.once('exit', (code: number | null) => {
    end = { code: code ?? undefined };
  });
  const watched = new Promise<Printed>((resolve, reject) => {
    channel.once('close', () => {
      if (!end) return reject(new SystemUnavailableError(`${name}: the connection was lost.`));
      return resolve({ ...end, output: '', errors: Buffer.concat(errors).toString() });
    });
  });
  watched.catch(() => undefined);
  return watched;
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
