import {
  type AllowedBucket,
  isBucketAddress,
  judgeFolder,
  judgeObject,
} from './bucket-addresses.ts';
import { type BucketWays, judgeHost, judgeWithin } from './input-addresses.ts';

/** Files that a job sends after its command. */
export interface AddressedOutput {
  /** A path in the folder of the job. `*` and `?` stand for parts of a name, and a part `**` for folders. */
  readonly files: string;
  /** The address of one file, or of a folder in a bucket, which ends in a slash. */
  readonly to: string;
}

/** The rules of a system, in which nothing is allowed if they are missing. */
interface WithRules {
  readonly outputs?: {
    readonly hosts: readonly string[];
    readonly buckets?: readonly AllowedBucket[];
    readonly paidBy?: 'site' | 'user';
    readonly maxBytes?: number;
  };
}

/** What a job sends, and by which rules of its system. */
export interface Sending {
  readonly outputs: readonly SentOutput[];
  readonly hosts: readonly string[];
  readonly trusted: readonly string[];
  readonly paidBy: 'site' | 'user';
  /** Of each file. */
  readonly maxBytes: number;
}

export interface SentOutput {
  readonly files: string;
  /** A regular expression for the whole path, in words that bash, Python and JavaScript share. */
  readonly pattern: string;
  /** How the files are listed: without the signature of an address. */
  readonly to: string;
  /** Where each file is sent, or where the service is asked for the address of each. */
  readonly address: string;
  readonly asks: boolean;
}

/** What one PUT to S3 takes, rounded down. */
const defaultMaxBytes = 5_000_000_000;

/** Returns undefined if there is nothing to send. */
export function sendingOf(
  { outputs: rules }: WithRules,
  wanted: readonly AddressedOutput[] = [],
  { addressOf, trusted }: BucketWays,
): Sending | undefined {
  if (wanted.length === 0) return undefined;
  const { hosts = [], paidBy = 'site', maxBytes = defaultMaxBytes } = rules ?? {};
  const outputs = wanted.map(({ files, to }, number) => {
    const asks = isBucketAddress(to);
    const address = asks ? addressOf(number) : new URL(to).href;
    return { files, pattern: compileGlob(files), to: withoutQuery(to), address, asks };
  });
  return { outputs, hosts, trusted, paidBy, maxBytes };
}

export const mostOutputs = 20;

/** How many files a job sends at most. */
export const mostSentFiles = 1000;

/** The list of what was sent, among the results of the job. A line of JSON for each file. */
export const sentList = 'slipway.outputs.jsonl';

/** Files that are not sent, because the job itself has them. */
export const keptFiles = ['stdout', 'stderr', sentList] as const;

/** Finds what is wrong with what a job wants to send: where, and a sentence. */
export function judgeOutputs(
  { outputs: rules }: WithRules,
  outputs: readonly AddressedOutput[],
): { readonly field: string; readonly message: string }[] {
  return outputs.flatMap(({ files, to }, at) => {
    const problems = { files: judgeGlob(files), to: judgeTarget(files, to, rules) };
    return Object.entries(problems).flatMap(([name, message]) =>
      message === undefined ? [] : [{ field: `outputs.${at}.${name}`, message }],
    );
  });
}

const longestGlob = 1000;

function judgeGlob(text: string): string | undefined {
  const fault = judgeWithin(text, 'results/**/*.nc');
  if (fault !== undefined) return fault;
  const parts = text.split('/');
  if (parts.some((part) => part.includes('**') && part !== '**')) {
    return 'Between slashes, ** must stand alone, as in results/**/*.nc.';
  }
  if (text.length > longestGlob) return `It is too long: at most ${longestGlob} characters.`;
  if (keptFiles.some((kept) => kept === text)) return 'It stays among the results of the job.';
  return undefined;
}

function judgeTarget(files: string, to: string, rules: WithRules['outputs']): string | undefined {
  const { hosts = [], buckets = [] } = rules ?? {};
  const isFolder = to.endsWith('/');
  if (!isFolder && isPattern(files)) {
    return 'An address of one file takes no * or ?. Many files need a folder of a bucket, such as s3://lab-data/results/.';
  }
  if (isBucketAddress(to)) return (isFolder ? judgeFolder : judgeObject)(to, buckets);
  if (isFolder) return 'A web address is that of one file, and does not end in a slash.';
  return judgeHost(to, hosts, 'sends nothing to');
}

function isPattern(files: string): boolean {
  return /[*?]/.test(files);
}

/**
 * Translates a glob. Characters are put into brackets instead of being escaped, because bash, Python
 * and JavaScript differ in what a backslash may stand before.
 */
export function compileGlob(glob: string): string {
  const parts = glob.split('/');
  const translated = parts.map((part, at) => {
    if (part === '**') return at === parts.length - 1 ? '.*' : '([^/]+/)*';
    const name = part.replaceAll(/[.+()[\]{}|^$*?]/g, (mark) => marks[mark] ?? `[${mark}]`);
    return at === parts.length - 1 ? name : `${name}/`;
  });
  return `^${translated.join('')}$`;
}

const marks: Readonly<Record<string, string>> = {
  '*': '[^/]*',
  '?': '[^/]',
  '^': '\\^',
  '[': '\\[',
  ']': '\\]',
};

/** An address may hold a signature. */
function withoutQuery(address: string): string {
  return isBucketAddress(address) ? address : (new URL(address).href.split('?')[0] ?? '');
}
