import type { Submission } from './submission.ts';

export type AddressedInput = NonNullable<Submission['inputs']>[number];

/**
 * Reads `https://data.example.org/a.nc=data/a.nc`, with `,sha256=...` behind it if the file is to be
 * checked. Without a path the file keeps the name that it has in the address.
 */
export function readInputAddress(text: string): AddressedInput | undefined {
  const [, from = '', named, sha256] =
    /^([a-z0-9]+:\/\/.+?)(?:=([^=]+?))?(?:,sha256=([0-9a-f]{64}))?$/i.exec(text.trim()) ?? [];
  const to = named ?? /\/([^/?#]+)(?:[?#].*)?$/.exec(from.replace(/^[^:]+:\/\//, ''))?.[1];
  if (from === '' || to === undefined) return undefined;
  return { from, to, ...(sha256 !== undefined && { sha256 }) };
}

/** Writes what `readInputAddress` reads. */
export function writeInputAddress({ from, to, sha256 }: AddressedInput): string {
  return `${from}=${to}${sha256 === undefined ? '' : `,sha256=${sha256}`}`;
}
