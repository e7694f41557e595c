import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { causeCode } from './cause-code.ts';

export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

export interface ResolverOptions {
  /** Addresses of name servers, with ports. Default: those of the machine. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/** A second try takes twice as long. Together they are shorter than a push may take. */
const usualTimeoutMs = 2_000;
const tries = 2;

/** The names that stand for this machine, and that no name server is asked for (RFC 6761). */
const ownName = /(^|\.)localhost$/;
const ownAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks name servers directly. `dns.lookup` would occupy a thread of the process while a name server
 * is silent, and only two of them look names up. So a few dead host names would keep all other
 * receivers and the HPC systems from being reached.
 */
export function openResolver({
  servers,
  timeoutMs = usualTimeoutMs,
}: ResolverOptions = {}): ResolveHost {
  return async (host, signal) => {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    if (ownName.test(host)) return ownAddresses;
    // A new one each time, because the servers of a laptop change with its network.
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel);
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.removeEventListener('abort', cancel);
    return gatherAddresses(answers);
  };
}

/** Many names have addresses of one family only, so one answer is enough. */
function gatherAddresses(answers: readonly PromiseSettledResult<string[]>[]): LookupAddress[] {
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
  const codes = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [causeCode(answer.reason)] : [],
  );
  if (codes.every((code) => code === 'ENODATA')) return [];
  throw new HostNameError(codes.includes('ENOTFOUND') ? 'ENOTFOUND' : 'EAI_AGAIN');
}

/** The name is unknown (ENOTFOUND), or no name server has answered (EAI_AGAIN). */
class HostNameError extends Error {
  override readonly name = 'HostNameError';
  readonly code: string;
  constructor(code: 'ENOTFOUND' | 'EAI_AGAIN') {
    super('The host name could not be resolved.');
    this.code = code;
  }
}
