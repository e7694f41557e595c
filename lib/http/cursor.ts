import { createHmac, timingSafeEqual } from 'node:crypto';
import type { JobList } from '../jobs/job-list.ts';
import { InvalidRequestError } from './errors.ts';

/**
 * A cursor is the id behind which a list goes on, signed together with the list it belongs to: one
 * that was made up, or taken from another caller, path or filter, does not verify.
 */
export interface CursorSigner {
  sign(list: JobList, after: number): string;
  verify(list: JobList, cursor: string): number;
}

export function createCursorSigner(secret: string): CursorSigner {
  function mark(list: JobList, position: string): Buffer {
    const { owner, hpc, project, order, filter } = list;
    const bound = JSON.stringify(['v1', owner, hpc, project, order, filter, position]);
    return createHmac('sha256', secret).update(bound).digest().subarray(0, 16);
  }
  return {
    sign: (list, after) => {
      const position = after.toString(36);
      return `${position}.${mark(list, position).toString('base64url')}`;
    },
    verify: (list, cursor) => {
      const [, position = '', signature = ''] =
        /^([0-9a-z]{1,11})\.([\w-]{22})$/.exec(cursor) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = mark(list, position);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new InvalidRequestError([
          { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
        ]);
      }
      return Number.parseInt(position, 36);
    },
  };
}
