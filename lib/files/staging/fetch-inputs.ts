import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Fetching, mayCall } from '#lib/catalog/input-addresses.ts';
import { mostRedirects } from '#lib/hpc/script/fetch-files.ts';
import {
  ask,
  describeStatus,
  explainFailure,
  FailedTry,
  keepTrying,
  silenceMs,
} from './call-out.ts';

/** Where the files of a job arrive, one after the other. */
export interface Destination {
  /** Begins a file anew, with nothing in it. */
  empty(): Promise<void>;
  /** Opens the file to add to it. */
  append(): { readonly stdin: Writable; done(): Promise<void> };
  /** Puts the file, which is whole, where the job expects it. */
  keep(to: string): Promise<void>;
}

interface Place extends Destination {
  /** Aborted when nobody wants the files any more, or their time is over. */
  readonly signal: AbortSignal;
}

/**
 * Fetches the files of a job, as the scripts of clusters and containers do
 * (lib/hpc/script/fetch-files.ts), and returns what failed. The process may reach more than the user
 * who named the addresses, so it only connects to public numbers, unless the catalog names this
 * machine.
 */
export async function fetchInputs(fetching: Fetching, place: Place): Promise<string | undefined> {
  for (const { from, to, sha256 } of fetching.files) {
    const source = { from: new URL(from), host: '' };
    try {
      const found = await fetchWhole(source, fetching, place);
      if (sha256 !== undefined && found !== sha256) {
        throw new FailedTry(`its checksum is ${found}`);
      }
      await place.keep(to);
    } catch (error) {
      const why = place.signal.aborted ? 'it was too slow' : explainFailure(error);
      return `The input ${to} could not be fetched from ${source.host}: ${why}.`;
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
  await place.empty();
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
    await place.empty();
  }
  if (statusCode !== 200 && statusCode !== 206) {
    response.destroy();
    throw describeStatus(statusCode);
  }
  response.setTimeout(silenceMs, () => response.destroy(new FailedTry('it was too slow')));
  const { stdin, done } = place.append();
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
  stdin.on('error', (error) => response.destroy(asFailedTry(error)));
  const ended = finished(response, { signal: place.signal });
  try {
    await ended;
  } finally {
    // What was counted is also written, so that the next try can go on from there.
    await done();
  }
}

/** What went wrong where the file arrives is not told in detail. */
function asFailedTry(error: unknown): FailedTry {
  return error instanceof FailedTry ? error : new FailedTry('it could not be put there', true);
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
