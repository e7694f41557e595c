import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidRequestError } from '../errors.ts';

/** What tells one list from another: its kind, its path, its filters, as JSON shows them. */
export type ListMarks = readonly unknown[];

/**
 * A cursor is the place behind which a list goes on, signed together with the list it belongs to:
 * one that was made up, or taken from another caller, path or filter, does not verify. The place
 * itself is no secret, so it stands there as it is: letters, digits, `_` and `-`.
 */
export interface PositionSigner {
  sign(list: ListMarks, position: string): string;
  verify(list: ListMarks, cursor: string): string;
}

export function createPositionSigner(secret: string): PositionSigner {
  function mark(list: ListMarks, position: string): Buffer {
    const bound = JSON.stringify(['v1', ...list, position]);
    return createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
  }
  return {
    sign: (list, position) => `${position}.${mark(list, position).toString('base64url')}`,
    verify: (list, cursor) => {
      const [, position = '', signature = ''] = /^([\w-]{1,400})\.([\w-]{22})$/.exec(cursor) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = mark(list, position);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new InvalidRequestError([
          { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
        ]);
      }
      return position;
    },
  };
}
