import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { explainFailure } from './explain-failure.ts';
import { hostOf, judgeUrl } from './judge-url.ts';
import { type AddressRules, mayReach } from './public-address.ts';

export interface Push {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the receiver answered; or why it did not, or why the answer is no success. */
export interface PushAnswer {
  readonly status?: number;
  readonly reason?: string;
  /** Whether it was broken off because the process ends: nothing is known of it. */
  readonly abandoned?: boolean;
}

export type SendPush = (push: Push) => Promise<PushAnswer>;

export interface SenderOptions {
  readonly rules: AddressRules;
  readonly timeoutSeconds?: number;
  readonly resolveHost?: (host: string) => Promise<LookupAddress[]>;
}

/** Read out of politeness, so that the receiver can finish its sentence, and thrown away. */
const maxAnswerBytes = 65_536;

const switchingProtocols = 101;

/**
 * Sends to addresses that strangers name, so nothing of ours may be reached through it. The host is
 * resolved once, every address it has must be public, and the connection goes to one of exactly
 * these: a name that leads elsewhere a moment later gains nothing. Redirects are not followed.
 */
export function openSender(options: SenderOptions): SendPush {
  const { rules, timeoutSeconds = 10, resolveHost = askForHost } = options;
  return async (push) => {
    const judged = judgeUrl(push.url, rules);
    if ('fault' in judged) return { reason: `the address is not allowed: ${judged.fault}` };
    const shutdown = awaitShutdown();
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), shutdown]);
    try {
      shutdown.throwIfAborted();
      const addresses = await untilAborted(resolveHost(hostOf(judged.url)), signal);
      if (addresses.length === 0) return { reason: 'the host name has no address' };
      if (!addresses.every(({ address }) => mayReach(address, rules))) {
        return { reason: 'the address is not public' };
      }
      return explainStatus(await exchange(judged.url, push, addresses, signal));
    } catch (error) {
      if (shutdown.aborted) return { abandoned: true };
      const reason = signal.aborted
        ? `no answer within ${timeoutSeconds} s`
        : explainFailure(error);
      return { reason };
    }
  };
}

function explainStatus(status: number): PushAnswer {
  if (status === switchingProtocols) return { status, reason: 'protocols are not switched' };
  const redirected = status >= 300 && status < 400;
  return { status, ...(redirected && { reason: 'redirects are not followed' }) };
}

async function askForHost(host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  return family === 0 ? lookup(host, { all: true }) : [{ address: host, family }];
}

/** A connection of its own for each push: a kept one would not ask where the host is. */
function exchange(
  url: URL,
  { headers, body }: Push,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<number> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Slipway', ...headers },
    agent: false,
    // So that the look-up is asked for all addresses of the host, and not for one of them.
    autoSelectFamily: true,
    lookup: answerWith(addresses),
    rejectUnauthorized: true,
    signal,
  };
  const request = send(url, options);
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // Unless somebody listens Node says nothing of it: neither an answer nor an error would come.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(switchingProtocols);
    });
    request.on('response', (response) => {
      // The status is the answer, whatever becomes of the rest.
      request.off('error', reject).on('error', () => undefined);
      throwAway(response).then(() => resolve(response.statusCode ?? 0));
    });
    request.end(body);
  });
}

function answerWith(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, _options, callback) => callback(null, [...addresses]);
}

function throwAway(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) response.destroy();
    });
    response.on('close', resolve);
  });
}

/** A look-up cannot be called off, but nobody has to wait for it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}
