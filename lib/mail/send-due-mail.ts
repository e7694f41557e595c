import { type DueKey, moveDue, sweepDue } from '#lib/table/due-index.ts';
import { listShards, userOfPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { countMailTry } from '#lib/telemetry/measurements.ts';
import { readProfile } from '#lib/users/profile-store.ts';
import type { MailPasses, MailPurpose } from './mail-passes.ts';
import { claimMailbox, type Mailbox, readMailbox, saveMailbox } from './mailbox.ts';
import type { Preferences } from './preferences.ts';
import { readPreferences } from './read-preferences.ts';
import { usualLanguage } from './words/languages.ts';
import { mailWords } from './words/words.ts';
import { type Mail, writeLinkMail, writeNotesMail } from './write-mail.ts';

/** Hands a mail to the next server. Throws if that does not take it. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface MailOptions {
  readonly send: SendMail;
  readonly passes: MailPasses;
  /** The address of the service, for the links in mails. */
  readonly publicUrl: string;
  /** The address of the console, which ends in a slash, if there is one. */
  readonly consoleUrl?: string | undefined;
  readonly clock?: () => Date;
}

/** How many mails are sent in parallel. */
const width = 5;

/** The lease of a claimed mailbox: far longer than one mail can take. */
const leaseMs = 5 * 60_000;

/** Sends what is due to everybody. If a sweep dies, a later one continues when its leases expire. */
export async function sendDueMail(table: Table, options: MailOptions): Promise<void> {
  const clock = options.clock ?? (() => new Date());
  const attend = (due: DueKey, now: Date) => attendMailbox(table, due, now, options);
  const failures = await sweepDue(table, listShards('MAIL'), attend, { width, clock });
  for (const error of failures) logger.error('a mailbox was not attended', { error });
}

async function attendMailbox(
  table: Table,
  due: DueKey,
  now: Date,
  options: MailOptions,
): Promise<void> {
  const user = userOfPartition(due.PK);
  const [mailbox, preferences, profile] = await Promise.all([
    readMailbox(table, user),
    readPreferences(table, user),
    readProfile(table, user),
  ]);
  if (mailbox?.dueAt?.toISOString() !== due.dueAt) return;
  const planned = mailbox.confirm === undefined ? planMail(mailbox, preferences, now) : now;
  if (planned > now) {
    await moveDue(table, due, planned);
    return;
  }
  const claimed = await claimMailbox(table, due, new Date(now.getTime() + leaseMs));
  if (!claimed) return;
  const { notes = [], more, mailsAt = [], tries } = claimed;
  // A banned user gets no mail at all. A removed one has no profile, and is told nothing.
  const isBanned = profile?.bans.everywhere !== undefined;
  const told = profile ? claimed : { ...claimed, notes: [] };
  const mails = isBanned ? [] : compose(told, preferences, now, options);
  try {
    for (const mail of mails) {
      await options.send(mail);
      countMailTry('taken');
    }
  } catch (error) {
    countMailTry('refused');
    const retryAt = planRetry(tries + 1, now);
    logger.warn('a mail was not taken', { user, tries: tries + 1, error });
    if (retryAt) {
      const kept = { told: 0, more, confirm: claimed.confirm, mailsAt };
      return saveMailbox(table, claimed, { ...kept, tries: tries + 1, dueAt: retryAt }, now);
    }
  }
  const sentAt = mails.length > 0 ? [...mailsAt, now].slice(-quickMails) : mailsAt;
  await saveMailbox(
    table,
    claimed,
    { told: notes.length, more: 0, mailsAt: sentAt, tries: 0 },
    now,
  );
}

/** How long the link in a mail confirms an address. */
const linkDays = 3;
const dayMs = 24 * 3_600_000;

/** A link that ends mails must work however late it is used. */
const unsubscribeYears = 5;

/** Writes the mails of a mailbox. Without a confirmed address there are no notes to tell. */
function compose(
  { user, confirm, notes = [], more }: Mailbox,
  preferences: Preferences | undefined,
  now: Date,
  { passes, publicUrl, consoleUrl }: MailOptions,
): Mail[] {
  const mails: Mail[] = [];
  const language = preferences?.language ?? usualLanguage;
  const words = mailWords[language];
  const linkTo = (page: MailPurpose, pass: string) =>
    `${publicUrl}/mail/${page}/?pass=${pass}${language === usualLanguage ? '' : `&language=${language}`}`;
  if (confirm !== undefined && confirm === preferences?.waitingEmail) {
    const endsAt = new Date(now.getTime() + linkDays * dayMs);
    const pass = passes.write('confirm', { user, email: confirm }, endsAt);
    const confirmUrl = linkTo('confirm', pass);
    mails.push(writeLinkMail({ to: confirm, confirmUrl, days: linkDays, words }));
  }
  const email = preferences?.email;
  if (email !== undefined && notes.length > 0) {
    const endsAt = new Date(now.getTime() + unsubscribeYears * 365 * dayMs);
    const pass = passes.write('unsubscribe', { user, email }, endsAt);
    const unsubscribeUrl = linkTo('unsubscribe', pass);
    mails.push(writeNotesMail({ to: email, notes, more, unsubscribeUrl, consoleUrl, words }));
  }
  return mails;
}

/** This many mails may come in a quarter of an hour. Everything else waits for one digest. */
const quickMails = 3;
const quarterMs = 15 * 60_000;

/** The hour (UTC) of a daily digest. */
const digestHour = 6;

/** Returns when a mailbox may be told. It lies in the past if that is now. */
function planMail(
  { mailsAt = [], notes = [] }: Pick<Mailbox, 'mailsAt' | 'notes'>,
  preferences: Pick<Preferences, 'digest'> | undefined,
  now: Date,
): Date {
  const [first] = notes;
  if (preferences?.digest === 'daily' && first) return nextDigest(first.at);
  const oldest = mailsAt.at(-quickMails);
  return oldest ? new Date(oldest.getTime() + quarterMs) : now;
}

function nextDigest(at: Date): Date {
  const today = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), digestHour);
  return new Date(today > at.getTime() ? today : today + dayMs);
}

/** Minutes between tries. When all are used up, the notes are dropped: they are old by then. */
const pauses = [1, 5, 15, 60, 180, 360, 720] as const;

function planRetry(tries: number, now: Date): Date | undefined {
  const pause = pauses[tries - 1];
  return pause === undefined ? undefined : new Date(now.getTime() + pause * 60_000);
}
