import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceSeconds } from '#lib/hpc/script/script-terms.ts';
import { causeCode } from '#lib/outbound/cause-code.ts';
import { hostOf, isPublicAddress } from '#lib/outbound/public-address.ts';
import { openResolver } from '#lib/outbound/resolve-host.ts';

/** A try that failed, in words that follow a colon. */
export class FailedTry extends Error {
  override readonly name = 'FailedTry';
  readonly lasts: boolean;
  constructor(why: string, lasts = false) {
    super(why);
    this.lasts = lasts;
  }
}

export const silenceMs = 60_000;

const resolveHost = openResolver();

interface Call {
  readonly method?: 'GET' | 'PUT';
  readonly headers: Readonly<Record<string, string>>;
  /** True for the service and for buckets of the catalog, whose addresses may be private. */
  readonly isTrusted: boolean;
  readonly signal: AbortSignal;
}

/** Connects to one of the numbers that were checked, so that a name cannot change in between. */
export async function beginCall(
  url: URL,
  { method = 'GET', headers, isTrusted, signal }: Call,
): Promise<ClientRequest> {
  const found = await resolveHost(hostOf(url), signal);
  const isPlain = url.protocol === 'http:';
  const addresses = found.filter(({ family }) => !isPlain || family === 4);
  if (!isPlain && !isTrusted && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new FailedTry('its host is not a public address', true);
  }
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    agent: false,
    method,
    headers: { 'user-agent': 'Slipway', ...headers },
    lookup: (_host, _options, callback) => callback(null, addresses),
    autoSelectFamily: true,
    signal,
  };
  const request = (isPlain ? requestHttp : requestHttps)(url, options);
  request.setTimeout(silenceMs, () => request.destroy(new FailedTry('no answer')));
  return request;
}

export async function ask(url: URL, call: Call): Promise<IncomingMessage> {
  const request = await beginCall(url, call);
  request.end();
  const [response] = await once(request, 'response');
  return response;
}

/** Tells a failure that passes from one that lasts. */
export function describeStatus(status: number): FailedTry {
  const passes = status >= 500 || [408, 416, 425, 429].includes(status);
  return new FailedTry(`HTTP ${status}`, !passes);
}

/** Tries for five minutes, unless the failure lasts. */
export async function keepTrying<Result>(
  step: () => Promise<Result>,
  signal: AbortSignal,
  seconds: number = patienceSeconds,
): Promise<Result> {
  const last = performance.now() + seconds * 1000;
  for (let pauseMs = 1000; ; pauseMs = Math.min(20_000, pauseMs * 2)) {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      if ((error instanceof FailedTry && error.lasts) || performance.now() > last) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  }
}

export function explainFailure(error: unknown): string {
  if (error instanceof FailedTry) return error.message;
  const code = causeCode(error);
  return code === 'ENOTFOUND' ? 'its host is unknown' : `no answer (${code})`;
}
