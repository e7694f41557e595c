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
  function signText(list: List, text: string): string {
    const bound = JSON.stringify(['v1', ...marksOf(list), text]);
    const mark = createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
    return `${text}.${mark.toString('base64url')}`;
  }
  return {
    sign: (list, position) =>
      position === undefined ? undefined : signText(list, write(position)),
    verify: (list, cursor) => {
      if (cursor === undefined) return undefined;
      const text = cursor.slice(0, cursor.lastIndexOf('.'));
      if (!areEqual(cursor, signText(list, text))) {
        throw new InvalidRequestError([
          { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
        ]);
      }
      return read(text);
    },
  };
}

/** In a time that does not tell how much of a made-up cursor was right. */
function areEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
