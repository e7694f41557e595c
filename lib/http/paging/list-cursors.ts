import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidRequestError } from '../errors.ts';
import type { PositionForm } from './positions.ts';

/** What tells one list from another: its kind, its path, its filters, as JSON shows them. */
export type ListMarks = readonly unknown[];

/**
 * A cursor is the place behind which a list goes on, signed together with the list it belongs to:
 * one that was made up, or taken from another caller, path or filter, does not verify. The place
 * itself is no secret, so it stands there as it is: letters, digits, `_` and `-`. The first page has
 * no cursor, and the last one leads to none.
 */
export interface ListCursors<Position> {
  sign(list: ListMarks, position: Position | undefined): string | undefined;
  verify(list: ListMarks, cursor: string | undefined): Position | undefined;
}

export function createCursors<Position>(
  secret: string,
  form: PositionForm<Position>,
): ListCursors<Position> {
  function mark(list: ListMarks, position: string): Buffer {
    const bound = JSON.stringify(['v1', ...list, position]);
    return createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
  }
  return {
    sign: (list, position) => {
      if (position === undefined) return undefined;
      const text = form.write(position);
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
      return form.read(text);
    },
  };
}
