import * as v from 'valibot';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import {
  atLeastOne,
  changeFields,
  changesSomething,
  isEither,
  onlyOne,
  toChange,
} from '../bodies/quota-change-body.ts';

const name = v.string('It must be text.');

/** One of many grants: whose quota it is, where, and what is to become of it. */
export const grantRow = (now: Date) => {
  const { reason, set, add, valid_until, renews } = changeFields(now).entries;
  return v.pipe(
    v.object({
      user_id: v.custom<UserId>(
        isUserId,
        'It must be the number of a user, as text and without leading zeros.',
      ),
      hpc: name,
      project_name: name,
      reason: v.optional(reason),
      set: v.optional(v.pipe(v.unknown(), v.transform(readNumbers), set)),
      add: v.optional(v.pipe(v.unknown(), v.transform(readNumbers), add)),
      valid_until: v.optional(v.pipe(v.unknown(), v.transform(readNull), valid_until)),
      renews: v.optional(v.pipe(v.unknown(), v.transform(readNull), renews)),
    }),
    v.forward(
      v.check((row) => isEither(row), onlyOne),
      ['set'],
    ),
    v.forward(
      v.check((row) => isEither(row), onlyOne),
      ['add'],
    ),
    v.check((row) => changesSomething(row), atLeastOne),
    v.transform(({ user_id: user, hpc, project_name: project, reason, ...change }) => ({
      user,
      hpc,
      project,
      reason,
      change: toChange(change),
    })),
  );
};

/** In CSV all is text: whole numbers are numbers there too. */
function readNumbers(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  const entries = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function readNull(value: unknown): unknown {
  return value === 'null' ? null : value;
}
