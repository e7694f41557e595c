export interface Span {
  readonly first: number;
  readonly last: number;
  /** Whether it was asked for: a range that covers everything is still answered as one. */
  readonly partial: boolean;
}

/**
 * The part of an object that a Range header asks for: one range of bytes. Nothing where there is
 * none to be had; what cannot be read as a range asks for everything.
 */
export function readRange(header: string | undefined, bytes: number): Span | undefined {
  const end = bytes - 1;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  const backwards = from !== '' && to !== '' && Number(to) < Number(from);
  if ((from === '' && to === '') || backwards) return { first: 0, last: end, partial: false };
  // Without a beginning it is so many bytes from the end.
  const first = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  if (first > end) return undefined;
  return { first, last: from === '' || to === '' ? end : Math.min(Number(to), end), partial: true };
}
