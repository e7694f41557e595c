import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { type Change, changeOf } from '#lib/table/change.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import {
  attribute,
  defineItem,
  list,
  moment,
  number,
  optional,
  type Stored,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { type DueKey, moveDue } from '#lib/table/due-index.ts';
import { dueKeys, mailboxKey, mailedKey } from '#lib/table/keys.ts';
import { userField } from '#lib/table/named-fields.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { changeIf, updateItem } from '#lib/table/writes.ts';
import type { Note } from './describe-event.ts';
import { moments, topics } from './preferences.ts';

const Fact = v.pipe(v.tuple([v.string(), v.string()]), v.readonly());

const notes = list('notes', {
  id: text('id'),
  topic: attribute('topic', v.picklist(topics)),
  at: moment('at'),
  headline: text('headline'),
  place: text('place'),
  facts: attribute('facts', v.pipe(v.array(Fact), v.readonly())),
  page: text('page'),
  command: text('command'),
});

/** What a user is to be told next by mail. It is due while it holds something. */
const storedMailbox = defineItem('mailbox', () => ({
  user: userField(),
  notes: optional(notes),
  /** How many events did not fit. */
  more: sparse(number('more'), 0),
  /** An address that is to get the link that confirms it. */
  confirm: optional(text('confirm')),
  /** The last mails, for the bound on mails in a quarter of an hour. */
  mailsAt: optional(moments('mails_at')),
  /** Tries in a row that failed. */
  tries: sparse(number('tries'), 0),
  dueAt: optional(moment('due_at')),
}));

export interface Mailbox extends Stored<typeof storedMailbox> {}

/** A mailbox holds as many notes as a person reads in one mail, far below the size of an item. */
const maxNotes = 100;

/** Events come at least once. A repetition is recognised for this long. */
const rememberedSeconds = 7 * 24 * 60 * 60;

export function readMailbox(table: Table, user: UserId): Promise<Mailbox | undefined> {
  return readItem(table, mailboxKey(user), storedMailbox.parse);
}

/** Puts a note into the mailbox of a user, once however often its event arrives. */
export async function putNote(table: Table, user: UserId, note: Note, now: Date): Promise<void> {
  const fit = fill(user, now, {
    compute: { notes: 'list_append(if_not_exists(#notes, :none), :note)' },
    values: { ':none': [], ':note': notes.write([note]).notes, ':most': maxNotes },
    when: ['(attribute_not_exists(#notes) OR size(#notes) < :most)'],
  });
  try {
    await writeTransaction(table, [markTold(user, note.id, now), fit]);
  } catch (error) {
    if (error instanceof ToldBefore) return;
    if (!(error instanceof MailboxFull)) throw error;
    await writeTransaction(table, [
      markTold(user, note.id, now),
      fill(user, now, { add: { more: 1 } }),
    ]).catch((failure: unknown) => {
      if (!(failure instanceof ToldBefore)) throw failure;
    });
  }
}

/** Asks for the mail with the link that confirms an address. The last address counts. */
export async function putLink(table: Table, user: UserId, email: string, now: Date): Promise<void> {
  const { Update } = fill(user, now, { set: { confirm: email, due_at: now.toISOString() } });
  await updateItem(table, Update);
}

class ToldBefore extends Error {}
class MailboxFull extends Error {}

function markTold(user: UserId, eventId: string, now: Date): Step {
  return {
    Put: {
      Item: {
        ...mailedKey(user, eventId),
        type: 'mailed',
        schema_version: 1,
        expires_at: Math.floor(now.getTime() / 1000) + rememberedSeconds,
      },
      ...ifMissing,
    },
    refuse: () => new ToldBefore(),
  };
}

/** Adds something to a mailbox. If it was empty, it becomes due. */
function fill(user: UserId, now: Date, { values, set, compute, ...rest }: Change) {
  const { due, due_at } = dueKeys('MAIL', now);
  const whenDue = set?.due_at === undefined && { due_at: 'if_not_exists(#due_at, :now)' };
  return {
    Update: changeOf(mailboxKey(user), {
      ...rest,
      set: { type: 'mailbox', schema_version: 1, user, ...set },
      compute: { ...compute, due: 'if_not_exists(#due, :shard)', ...whenDue },
      values: { ':shard': due, ...(whenDue && { ':now': due_at }), ...values },
    }),
    refuse: () => new MailboxFull(),
  };
}

/** Claims a due mailbox until `until`, unless another process was first. */
export async function claimMailbox(
  table: Table,
  due: DueKey,
  until: Date,
): Promise<Mailbox | undefined> {
  const claimed = await moveDue(table, due, until);
  return claimed && storedMailbox.parse(claimed);
}

/** What changes in a claimed mailbox. It stays due at `dueAt`, or is not due without it. */
export interface MailboxUpdate {
  /** How many of its notes are done. */
  readonly told: number;
  readonly more: number;
  readonly confirm?: string | undefined;
  readonly mailsAt: Date[];
  readonly tries: number;
  readonly dueAt?: Date | undefined;
}

/**
 * Writes the outcome of a mail. Notes that came meanwhile stay, and make the mailbox due. A process
 * that was slower than its lease changes nothing.
 */
export async function saveMailbox(
  table: Table,
  claimed: Mailbox,
  update: MailboxUpdate,
  now: Date,
): Promise<void> {
  for (;;) {
    const current = await readMailbox(table, claimed.user);
    if (!current || current.dueAt?.getTime() !== claimed.dueAt?.getTime()) return;
    const next = applyUpdate(current, claimed, now, update);
    if (await replaceMailbox(table, current, next)) return;
  }
}

/** Takes away what was told, and nothing that was added since the mailbox was claimed. */
function applyUpdate(
  current: Mailbox,
  claimed: Mailbox,
  now: Date,
  { told, more, confirm, mailsAt, tries, dueAt = now }: MailboxUpdate,
): Mailbox {
  const left = {
    notes: (current.notes ?? []).slice(told),
    more: current.more - claimed.more + more,
    // A link that was asked for meanwhile would have moved the due date.
    confirm,
  };
  const isEmpty = left.notes.length === 0 && left.more === 0 && left.confirm === undefined;
  return {
    user: current.user,
    more: left.more,
    tries,
    mailsAt,
    ...(left.notes.length > 0 && { notes: left.notes }),
    ...(left.confirm !== undefined && { confirm: left.confirm }),
    ...(!isEmpty && { dueAt }),
  };
}

/** Returns false if something was added since the mailbox was read. */
function replaceMailbox(table: Table, seen: Mailbox, next: Mailbox): Promise<boolean> {
  const { notes, more, confirm, mails_at, tries, due_at } = storedMailbox.format(next);
  return changeIf(table, mailboxKey(seen.user), {
    set: {
      notes,
      more,
      confirm,
      mails_at,
      tries,
      due_at,
      ...(!next.dueAt && { due: undefined }),
    },
    expect: {
      due_at: seen.dueAt?.toISOString(),
      more: seen.more === 0 ? undefined : seen.more,
      confirm: seen.confirm,
    },
    when: [seen.notes ? 'size(#notes) = :count' : 'attribute_not_exists(#notes)'],
    ...(seen.notes && { values: { ':count': seen.notes.length } }),
  });
}
