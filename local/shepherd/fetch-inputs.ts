import { spawn } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type Fetching, mayCall } from '#lib/catalog/input-addresses.ts';
import type { UnixLogin } from '#lib/hpc/machine/find-login.ts';
import { partsOfFolder } from '#lib/hpc/machine/job-folder.ts';
import { mostRedirects } from '#lib/hpc/script/fetch-files.ts';
import {
  ask,
  describeStatus,
  explainFailure,
  FailedTry,
  keepTrying,
  silenceMs,
} from './call-out.ts';

export interface Place {
  /** The folder of the job. */
  readonly folder: string;
  /** The account that the files are written as, if it is not that of the service. */
  readonly account?: UnixLogin | undefined;
  /** Aborted when the job is cancelled, or its time is over. */
  readonly signal: AbortSignal;
}

/**
 * Fetches the files of a job into its folder, as the scripts of other systems do
 * (lib/hpc/script/fetch-files.ts), and returns what failed. This process may reach more than the job, so
 * it only connects to public numbers, unless the catalog names this machine.
 */
export async function fetchInputs(fetching: Fetching, place: Place): Promise<string | undefined> {
  for (const { from, to, sha256 } of fetching.files) {
    const job = { from: new URL(from), host: '' };
    try {
      const found = await fetchWhole(job, fetching, place);
      if (sha256 !== undefined && found !== sha256) {
        throw new FailedTry(`its checksum is ${found}`);
      }
      await write(place, `mkdir -p -- "$2" && mv -f -- "$1" "$3"`, [dirname(to), to]).done();
    } catch (error) {
      const why = place.signal.aborted ? 'it was too slow' : explainFailure(error);
      return `The input ${to} could not be fetched from ${job.host}: ${why}.`;
    }
  }
  return undefined;
}

interface Source {
  readonly from: URL;
  /** The host that was asked last. */
  host: string;
}

/** Returns the checksum of the file, which is then in its place. */
async function fetchWhole(source: Source, fetching: Fetching, place: Place): Promise<string> {
  const part = { bytes: 0, hash: createHash('sha256') };
  await write(place, `: >"$1"`).done();
  await keepTrying(() => fetchPart(source, fetching, place, part), place.signal);
  return part.hash.digest('hex');
}

interface Part {
  bytes: number;
  hash: Hash;
}

async function fetchPart(
  source: Source,
  fetching: Fetching,
  place: Place,
  part: Part,
): Promise<void> {
  const response = await follow(source, fetching, place, part.bytes);
  const { statusCode = 0 } = response;
  if (statusCode !== 206 && part.bytes > 0) {
    Object.assign(part, { bytes: 0, hash: createHash('sha256') });
    await write(place, `: >"$1"`).done();
  }
  if (statusCode !== 200 && statusCode !== 206) {
    response.destroy();
    throw describeStatus(statusCode);
  }
  response.setTimeout(silenceMs, () => response.destroy(new FailedTry('it was too slow')));
  const { stdin, done } = write(place, `cat >>"$1"`);
  // Read as it arrives: a stream that is asked for more loses what it holds when its connection breaks.
  response.on('data', (chunk: Buffer) => {
    part.bytes += chunk.length;
    part.hash.update(chunk);
    if (part.bytes > fetching.maxBytes) {
      response.destroy(new FailedTry(`it is larger than ${fetching.maxBytes} bytes`, true));
    } else if (!stdin.write(chunk)) {
      response.pause();
      stdin.once('drain', () => response.resume());
    }
  });
  stdin.on('error', () => response.destroy(new FailedTry('it could not be put there', true)));
  const ended = finished(response, { signal: place.signal });
  try {
    await ended;
  } finally {
    // What was counted is also written, so that the next try can go on from there.
    await done();
  }
}

async function follow(
  source: Source,
  { hosts, trusted = [] }: Fetching,
  { signal }: Place,
  start: number,
): Promise<IncomingMessage> {
  let url = source.from;
  for (let turn = 0; turn <= mostRedirects; turn += 1) {
    source.host = url.host;
    if (url.username !== '' || url.password !== '' || !mayCall(url, [...hosts, ...trusted])) {
      throw new FailedTry('it is not among the hosts that this system allows', true);
    }
    const response = await ask(url, {
      headers: start > 0 ? { range: `bytes=${start}-` } : {},
      isTrusted: mayCall(url, trusted),
      signal,
    });
    const { statusCode = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(statusCode)) return response;
    response.destroy();
    const next = URL.parse(headers.location ?? '', url.href);
    if (!next) throw new FailedTry('it redirects to no address', true);
    url = next;
  }
  throw new FailedTry('it redirects too often', true);
}

/**
 * Runs a line of shell in the folder of the job, as its account, with the rights of that account
 * alone. Its first argument is where a file grows until it is whole.
 */
function write({ folder, account }: Place, line: string, words: readonly string[] = []) {
  const part = join(folder, partsOfFolder.temporary, 'fetched');
  const child = spawn('/bin/sh', ['-c', `umask 077; ${line}`, 'sh', part, ...words], {
    cwd: join(folder, partsOfFolder.work),
    stdio: ['pipe', 'ignore', 'ignore'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const closed = once(child, 'close');
  // A full disk is told by the exit code, and what is written after that goes nowhere.
  child.stdin.on('error', () => undefined);
  return {
    stdin: child.stdin,
    async done() {
      child.stdin.end();
      const [code] = await closed;
      if (code !== 0) throw new FailedTry('it could not be put there', true);
    },
  };
}
