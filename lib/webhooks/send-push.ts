import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { TcpNetConnectOpts } from 'node:net';
import { causeCode } from '#lib/outbound/cause-code.ts';
import { type AddressRules, hostOf, mayReach } from '#lib/outbound/public-address.ts';
import { openResolver, type ResolveHost } from '#lib/outbound/resolve-host.ts';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { judgeUrl } from './judge-url.ts';

export interface Push {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The receiver's response, or why there was none or it was not a success. */
export interface PushAnswer {
  readonly status?: number;
  readonly reason?: string;
  /** True if the push was aborted because the process shuts down, so its result is unknown. */
  readonly abandoned?: boolean;
}

export type SendPush = (push: Push) => Promise<PushAnswer>;

export interface SenderOptions {
  readonly rules: AddressRules;
  readonly timeoutSeconds?: number;
  readonly resolveHost?: ResolveHost;
}

/**
 * The response is read up to this length, so the receiver can finish sending, and then discarded.
 */
const maxAnswerBytes = 65_536;

const switchingProtocols = 101;

/**
 * Sends pushes to addresses that strangers name, so they must not reach anything internal. The host
 * is resolved once, all its addresses must be public, and the connection goes to one of exactly
 * these. A name that resolves differently a moment later gains nothing. Redirects are not followed.
 */
export function openSender(options: SenderOptions): SendPush {
  const { rules, timeoutSeconds = 10, resolveHost = openResolver() } = options;
  return async (push) => {
    const judged = judgeUrl(push.url, rules);
    if ('fault' in judged) return { reason: `the address is not allowed: ${judged.fault}` };
    const shutdown = awaitShutdown();
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), shutdown]);
    try {
      shutdown.throwIfAborted();
      const addresses = await untilAborted(resolveHost(hostOf(judged.url), signal), signal);
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

/**
 * Opens a new connection for each push, because a reused one would skip the check of the address.
 */
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
    // Makes Node look up all addresses of the host instead of one.
    autoSelectFamily: true,
    lookup: (_host, _options, callback) => callback(null, [...addresses]),
    rejectUnauthorized: true,
    signal,
  };
  const request = send(url, options);
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    // Without a listener, Node would report neither a response nor an error.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(switchingProtocols);
    });
    request.on('response', (response) => {
      // The status is the response, even if the rest fails.
      request.off('error', reject).on('error', () => undefined);
      throwAway(response).then(() => resolve(response.statusCode ?? 0));
    });
    request.end(body);
  });
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

/** Waits no longer than until the signal. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    work.then(resolve, reject);
  });
}

/** Explanations that a receiver's owner can act on. Other codes are shown as they are. */
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

/**
 * Explains a failure for the log that a webhook's owner reads. It never shows our own addresses.
 */
export function explainFailure(error: unknown): string {
  const code = causeCode(error);
  if (code === undefined) return 'the call failed';
  const unknown = code.startsWith('HPE_') ? 'the answer is not HTTP' : `the call failed (${code})`;
  return reasons[code] ?? unknown;
}
