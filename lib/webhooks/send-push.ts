import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction, type TcpNetConnectOpts } from 'node:net';
import { causeCode } from '#lib/outbound/cause-code.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { type AddressRules, hostOf, judgeUrl, mayReach } from './judge-url.ts';
import { secretPrefix } from './webhook.ts';

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

/**
 * Standard Webhooks. The identifier is that of the event at every try, so that a receiver knows a
 * repeated one; the time is that of the try, so that it can refuse one that somebody kept.
 */
export function signPush(
  secret: string,
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** What a receiver's owner can act on. Other codes are shown as they are. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host cannot be reached',
  EPROTO: 'the TLS handshake failed',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too long',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
};

/** For the log that the owner of a webhook reads: the kind of failure, never our own addresses. */
export function explainFailure(error: unknown): string {
  const code = causeCode(error);
  if (code === undefined) return 'the call failed';
  const unknown = code.startsWith('HPE_') ? 'the answer is not HTTP' : `the call failed (${code})`;
  return reasons[code] ?? unknown;
}
