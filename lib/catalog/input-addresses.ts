import { judgeAddress } from '#lib/outbound/judge-address.ts';

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
    readonly paidBy?: 'site' | 'user';
    readonly maxBytes?: number;
    readonly fetchedBy?: 'job' | 'service';
  };
}

/** What a job fetches, and by which rules of its system. */
export interface Fetching {
  readonly files: readonly AddressedInput[];
  readonly hosts: readonly string[];
  readonly paidBy: 'site' | 'user';
  /** Of each file. */
  readonly maxBytes: number;
}

const defaultMaxBytes = 100_000_000_000;

/** What the service fetches for one job at most. It keeps the files on a small disk for a while. */
export const mostServiceBytes = 1_000_000_000;

/**
 * Returns undefined if there is nothing to fetch. Where the catalog allows no host any more, none is.
 * Addresses and checksums are written in one form, so that each program can compare them as they are.
 */
export function fetchingOf(
  { inputs }: WithRules,
  files: readonly AddressedInput[] = [],
): Fetching | undefined {
  if (files.length === 0) return undefined;
  const { hosts = [], paidBy = 'site', maxBytes = defaultMaxBytes } = inputs ?? {};
  const written = files.map(({ from, to, sha256 }) => ({
    from: new URL(from).href,
    to,
    ...(sha256 !== undefined && { sha256: sha256.toLowerCase() }),
  }));
  return { files: written, hosts, paidBy, maxBytes };
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
  const hosts = rules?.hosts ?? [];
  const places = files.map(({ to }) => to);
  return files.flatMap(({ from, to, sha256 = noHash }, at) => {
    const problems = {
      from: judgeSource(from, hosts),
      to: judgePlace(to) ?? judgeAmong(to, places.slice(0, at)),
      sha256: isHash.test(sha256) ? undefined : 'It must be 64 hexadecimal digits.',
    };
    return Object.entries(problems).flatMap(([name, message]) =>
      message === undefined ? [] : [{ field: `inputs.${at}.${name}`, message }],
    );
  });
}

function judgeSource(text: string, hosts: readonly string[]): string | undefined {
  const judged = judgeAddress(text);
  if ('fault' in judged) return judged.fault;
  const { url } = judged;
  if (mayFetchFrom(url, hosts)) return undefined;
  return `This system fetches nothing from ${url.protocol}//${url.host}. Allowed: ${hosts.join(', ')}, by https.`;
}

/** Tells whether a system fetches from there. Its jobs ask the same of each redirect. */
export function mayFetchFrom(url: URL, hosts: readonly string[]): boolean {
  const { protocol, host } = url;
  return hosts.some((allowed) => {
    if (allowed.startsWith('http:')) return `${protocol}//${host}` === allowed;
    if (protocol !== 'https:') return false;
    return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
  });
}

function judgePlace(path: string): string | undefined {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'It must be a path within the folder of the job, such as data/a.nc.';
  }
  if (/[\p{Cc}\\]/u.test(path) || !path.isWellFormed()) {
    return 'It must not contain backslashes, control characters or broken Unicode.';
  }
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
