import * as v from 'valibot';
import type { QuotaPosition } from '#lib/quotas/grants/list-quotas.ts';
import type { LedgerPosition } from '#lib/quotas/statement/read-ledger.ts';

/** How a place in a list is written into a cursor: in letters, digits, `_` and `-`. */
export interface PositionForm<Position> {
  write(position: Position): string;
  /** Of what was written by it, for a cursor is verified first. */
  read(text: string): Position;
}

/** The id of a job. */
export const jobPosition: PositionForm<number> = {
  write: (id) => id.toString(36),
  read: (text) => Number.parseInt(text, 36),
};

/** The number of a user. */
export const userPosition: PositionForm<string> = {
  write: (user) => user,
  read: (text) => text,
};

/** The key of an act. */
export const actPosition: PositionForm<string> = { write: encodeText, read: decodeText };

export const quotaPosition: PositionForm<QuotaPosition> = {
  write: ({ project, user }) => `${project}-${user}`,
  read: (text) => {
    const [project = '', user = ''] = text.split('-');
    return { project: Number(project), user };
  },
};

const LedgerPlace = v.tuple([v.string(), v.number(), v.number()]);

/** The line behind which the ledger goes on, and the balance that is carried on. */
export const ledgerPosition: PositionForm<LedgerPosition> = {
  write: ({ key, left }) => encodeText(JSON.stringify([key, left.seconds, left.kilobytes])),
  read: (text) => {
    const [key, seconds, kilobytes] = v.parse(LedgerPlace, JSON.parse(decodeText(text)));
    return { key, left: { seconds, kilobytes } };
  },
};

function encodeText(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decodeText(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
