import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fetching, mayFetchFrom } from '#lib/catalog/input-addresses.ts';
import { mostRedirects } from '#lib/hpc/script/fetch-files.ts';
import { patienceSeconds } from '#lib/hpc/script/script-terms.ts';
import { causeCode } from '#lib/outbound/cause-code.ts';
import { hostOf, isPublicAddress } from '#lib/outbound/public-address.ts';
import { openResolver } from '#lib/outbound/resolve-host.ts';

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

/** A try that failed, in words that follow a colon. */
export class FailedTry extends Error {
  override readonly name = 'FailedTry';
  readonly lasts: boolean;
  constructor(why: string, lasts = false) {
    super(why);
    this.lasts = lasts;
  }
}

const silenceMs = 60_000;

const resolveHost = openResolver();

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
      const found = await keepTrying(source, fetching, place);
      if (sha256 !== undefined && found !== sha256) {
        throw new FailedTry(`its checksum is ${found}`);
      }
      await place.keep(to);
    } catch (error) {
      const why = place.signal.aborted ? 'it was too slow' : explain(error);
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
async function keepTrying(source: Source, fetching: Fetching, place: Place): Promise<string> {
  const part = { bytes: 0, hash: createHash('sha256') };
  const last = performance.now() + patienceSeconds * 1000;
  await place.empty();
  for (let pauseMs = 1000; ; pauseMs = Math.min(20_000, pauseMs * 2)) {
    try {
      await fetchPart(source, fetching, place, part);
      return part.hash.digest('hex');
    } catch (error) {
      place.signal.throwIfAborted();
      if ((error instanceof FailedTry && error.lasts) || performance.now() > last) throw error;
      await sleep(pauseMs, undefined, { signal: place.signal });
    }
  }
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
    const passes = statusCode >= 500 || [408, 416, 425, 429].includes(statusCode);
    throw new FailedTry(`HTTP ${statusCode}`, !passes);
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
  { hosts }: Fetching,
  { signal }: Place,
  start: number,
): Promise<IncomingMessage> {
  let url = source.from;
  for (let turn = 0; turn <= mostRedirects; turn += 1) {
    source.host = url.host;
    if (url.username !== '' || url.password !== '' || !mayFetchFrom(url, hosts)) {
      throw new FailedTry('it is not among the hosts that this system allows', true);
    }
    const response = await ask(url, start, signal);
    const { statusCode = 0, headers } = response;
    if (![301, 302, 303, 307, 308].includes(statusCode)) return response;
    response.destroy();
    const next = URL.parse(headers.location ?? '', url.href);
    if (!next) throw new FailedTry('it redirects to no address', true);
    url = next;
  }
  throw new FailedTry('it redirects too often', true);
}

/** Connects to one of the numbers that were checked, so that a name cannot change in between. */
async function ask(url: URL, start: number, signal: AbortSignal): Promise<IncomingMessage> {
  const found = await resolveHost(hostOf(url), signal);
  const isHere = url.protocol === 'http:';
  const addresses = found.filter(({ family }) => !isHere || family === 4);
  if (!isHere && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new FailedTry('its host is not a public address', true);
  }
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    agent: false,
    headers: { 'user-agent': 'Slipway', ...(start > 0 && { range: `bytes=${start}-` }) },
    lookup: (_host, _options, callback) => callback(null, addresses),
    autoSelectFamily: true,
    signal,
  };
  const request = (isHere ? requestHttp : requestHttps)(url, options);
  request.setTimeout(silenceMs, () => request.destroy(new FailedTry('no answer')));
  request.end();
  const [response] = await once(request, 'response');
  return response;
}

function explain(error: unknown): string {
  if (error instanceof FailedTry) return error.message;
  const code = causeCode(error);
  return code === 'ENOTFOUND' ? 'its host is unknown' : `no answer (${code})`;
}
