import { judgeAddress } from '#lib/outbound/judge-address.ts';
import { type AllowedBucket, isBucketAddress, judgeObject } from './bucket-addresses.ts';

/** A file that a job fetches before its command runs. */
export interface AddressedInput {
  readonly from: string;
  /** Where it is put, in the folder of the job. */
  readonly to: string;
  readonly sha256?: string;
}

/** The rules of a system, in which nothing is allowed if they are missing. */
interface WithRules {
  readonly inputs?: {
    readonly hosts: readonly string[];
    readonly buckets?: readonly AllowedBucket[];
    readonly paidBy?: 'site' | 'user';
    readonly maxBytes?: number;
    readonly fetchedBy?: 'job' | 'service';
  };
}

/** What a job fetches, and by which rules of its system. */
export interface Fetching {
  readonly files: readonly AddressedInput[];
  readonly hosts: readonly string[];
  /** Hosts of the service itself and of buckets, which may have addresses that are not public. */
  readonly trusted?: readonly string[] | undefined;
  readonly paidBy: 'site' | 'user';
  /** Of each file. */
  readonly maxBytes: number;
}

const defaultMaxBytes = 100_000_000_000;

/** The ways to files in buckets, which lead through the service. */
export interface BucketWays {
  /** The address at which the service answers with that of a file, by its number in the job. */
  addressOf(number: number): string;
  /** Hosts of the service and of the buckets. */
  readonly trusted: readonly string[];
}
/** What the service fetches for one job at most. It keeps the files on a small disk for a while. */
export const mostServiceBytes = 1_000_000_000;

/**
 * Returns undefined if there is nothing to fetch. Where the catalog allows no host any more, none is.
 * Addresses and checksums are written in one form, so that each program can compare them as they are.
 */
export function fetchingOf(
  { inputs }: WithRules,
  files: readonly AddressedInput[] = [],
  ways?: BucketWays,
): Fetching | undefined {
  if (files.length === 0) return undefined;
  const { hosts = [], paidBy = 'site', maxBytes = defaultMaxBytes } = inputs ?? {};
  const written = files.map(({ from, to, sha256 }, number) => ({
    from: ways && isBucketAddress(from) ? ways.addressOf(number) : new URL(from).href,
    to,
    ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }),
  }));
  const { trusted } = ways ?? {};
  return { files: written, hosts, ...(trusted && { trusted }), paidBy, maxBytes };
}

export const mostInputs = 100;
const longestPath = 1000;
const longestName = 255;

const isHash = /^[0-9a-f]{64}$/i;
const noHash = '0'.repeat(64);

/** Finds what is wrong with the files that a job wants to fetch: where, and a sentence. */
export function judgeInputs(
  { inputs: rules }: WithRules,
  files: readonly AddressedInput[],
): { readonly field: string; readonly message: string }[] {
  const { hosts = [], buckets = [] } = rules ?? {};
  const places = files.map(({ to }) => to);
  return files.flatMap(({ from, to, sha256 = noHash }, at) => {
    const problems = {
      from: isBucketAddress(from)
        ? judgeObject(from, buckets)
        : judgeHost(from, hosts, 'fetches nothing from'),
      to: judgePlace(to) ?? judgeAmong(to, places.slice(0, at)),
      sha256: isHash.test(sha256) ? undefined : 'It must be 64 hexadecimal digits.',
    };
    return Object.entries(problems).flatMap(([name, message]) =>
      message === undefined ? [] : [{ field: `inputs.${at}.${name}`, message }],
    );
  });
}

/** Finds what is wrong with a web address, in a sentence. */
export function judgeHost(
  text: string,
  hosts: readonly string[],
  refuses: 'fetches nothing from' | 'sends nothing to',
): string | undefined {
  const judged = judgeAddress(text);
  if ('fault' in judged) return judged.fault;
  const { url } = judged;
  if (mayCall(url, hosts)) return undefined;
  const allowed = hosts.length > 0 ? `${hosts.join(', ')}, by https` : 'no host';
  return `This system ${refuses} ${url.protocol}//${url.host}. Allowed: ${allowed}.`;
}

/** Writes the host of an address as catalogs do. */
export function writeHost({ protocol, host, origin }: URL): string {
  return protocol === 'https:' ? host : origin;
}

/** Tells whether hosts of the catalog allow a call. Jobs ask the same of each redirect. */
export function mayCall(url: URL, hosts: readonly string[]): boolean {
  const { protocol, host } = url;
  return hosts.some((allowed) => {
    if (allowed.startsWith('http:')) return `${protocol}//${host}` === allowed;
    if (protocol !== 'https:') return false;
    return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
  });
}

/** Finds why a path does not stay within the folder of a job, in a sentence. */
export function judgeWithin(path: string, example: string): string | undefined {
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    return `It must be a path within the folder of the job, such as ${example}.`;
  }
  if (/[\p{Cc}\\]/u.test(path) || !path.isWellFormed()) {
    return 'It must not contain backslashes, control characters or broken Unicode.';
  }
  return undefined;
}

function judgePlace(path: string): string | undefined {
  const fault = judgeWithin(path, 'data/a.nc');
  if (fault !== undefined) return fault;
  const parts = path.split('/');
  const longest = Math.max(...parts.map((part) => Buffer.byteLength(part)));
  if (path.length > longestPath || longest > longestName) {
    return `It is too long: at most ${longestPath} characters, and ${longestName} bytes between two slashes.`;
  }
  if (path === 'stdout' || path === 'stderr') return 'The output of the command has this name.';
  return undefined;
}

function judgeAmong(path: string, others: readonly string[]): string | undefined {
  if (others.includes(path)) return 'Another input has the same place.';
  const other = others.find((each) => each.startsWith(`${path}/`) || path.startsWith(`${each}/`));
  return other === undefined ? undefined : `It cannot be beside '${other}': a file is no folder.`;
}
