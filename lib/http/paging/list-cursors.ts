import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidRequestError } from '../errors.ts';

/**
 * A cursor is the place behind which a list goes on, signed together with the list it belongs to:
 * one that was made up, or taken from another caller, path or filter, does not verify. The first
 * page has no cursor, and the last one leads to none.
 */
export interface ListCursors<List, Position> {
  sign(list: List, position: Position | undefined): string | undefined;
  verify(list: List, cursor: string | undefined): Position | undefined;
}

/** How a cursor knows its list and its place there. */
export interface CursorForm<List, Position> {
  /** What tells one list from another: its kind, its path, its filters, as JSON shows them. */
  marksOf(list: List): readonly unknown[];
  /** The place is no secret, so it stands there as it is: in letters, digits, `_` and `-`. */
  write(position: Position): string;
  /** Of what was written by it, for a cursor is verified first. */
  read(text: string): Position;
}

export function createCursors<List, Position>(
  secret: string,
  { marksOf, write, read }: CursorForm<List, Position>,
): ListCursors<List, Position> {
  function mark(list: List, position: string): Buffer {
    const bound = JSON.stringify(['v1', ...marksOf(list), position]);
    return createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
  }
  return {
    sign: (list, position) => {
      if (position === undefined) return undefined;
      const text = write(position);
      return `${text}.${mark(list, text).toString('base64url')}`;
    },
    verify: (list, cursor) => {
      if (cursor === undefined) return undefined;
      const [, text = '', signature = ''] = /^([\w-]{1,400})\.([\w-]{22})$/.exec(cursor) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = mark(list, text);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new InvalidRequestError([
          { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
        ]);
      }
      return read(text);
    },
  };
}
