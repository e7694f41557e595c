import * as v from 'valibot';
import {
  attribute,
  defineItem,
  moment,
  optional,
  type Stored,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { notificationsKey } from '#lib/table/keys.ts';
import { userField } from '#lib/table/named-fields.ts';
import { languages, usualLanguage } from './words/languages.ts';

/** What a user can be told by mail. `request.decided` stands for both decisions. */
export const topics = [
  'job.ended',
  'batch.ended',
  'quota.low',
  'request.decided',
  'system.maintenance',
  'project.statement',
] as const;

export type Topic = (typeof topics)[number];

/** What a new user is told. Statements are for leaders who ask for them. */
const usualTopics = topics.filter((topic) => topic !== 'project.statement');

/** `when-many` collects only what exceeds the first mails of a quarter of an hour. */
export const digests = ['when-many', 'daily'] as const;

const Moments = v.pipe(
  v.array(v.string()),
  v.transform((list) => list.map((written) => new Date(written))),
);

/** The field of a list of moments. */
export const moments = (name: string) =>
  attribute(name, Moments, (list) => list.map((at) => at.toISOString()));

/** What a user wants to be told by mail, and where. */
const storedPreferences = defineItem('notifications', () => ({
  user: userField(),
  /** Belongs to the user: the identity provider says so, or they opened the link in a mail. */
  email: optional(text('email')),
  /** An address to which a link was sent. It gets nothing else until the link is opened. */
  waitingEmail: optional(text('waiting_email')),
  /** When links were sent in the last day, so that nobody can be flooded with them. */
  askedAt: moments('asked_at'),
  events: attribute('events', v.pipe(v.array(v.picklist(topics)), v.readonly())),
  digest: attribute('digest', v.picklist(digests)),
  /** Of mails, and of the pages behind their links. */
  language: sparse(attribute('language', v.picklist(languages)), usualLanguage),
  /** Guards against two changes at the same time. */
  changedAt: moment('changed_at'),
}));

export interface Preferences extends Stored<typeof storedPreferences> {}

export const preferencesFromItem: (stored: unknown) => Preferences = storedPreferences.parse;

export function preferencesToItem(preferences: Preferences) {
  return { ...notificationsKey(preferences.user), ...storedPreferences.format(preferences) };
}

export function newPreferences(user: Preferences['user'], now: Date): Preferences {
  return {
    user,
    askedAt: [],
    events: usualTopics,
    digest: 'when-many',
    language: usualLanguage,
    changedAt: now,
  };
}

/** True if a user wants to be told, and has a confirmed address. */
export function wants(
  preferences: Preferences | undefined,
  topic: Topic,
): preferences is Preferences {
  return preferences?.email !== undefined && preferences.events.includes(topic);
}

/** What a user wants to change. Everything else stays as it is. */
export interface Wish {
  /** Null if the user wants no mail. */
  readonly email?: string | null | undefined;
  readonly events?: Preferences['events'] | undefined;
  readonly digest?: Preferences['digest'] | undefined;
  readonly language?: Preferences['language'] | undefined;
}

/** How many links may be sent for a user within a day. */
export const maxLinks = 5;

const dayMs = 24 * 60 * 60 * 1000;

/** Returns when the next link may be sent. It lies in the past if one may be sent now. */
export function nextLinkAt({ askedAt }: Preferences): Date {
  const oldest = askedAt.at(-maxLinks);
  return new Date(oldest ? oldest.getTime() + dayMs : 0);
}

/**
 * Applies a wish. An address of the token is trusted at once. Any other one waits for its link, and
 * mails still go to the old address.
 */
export function applyWish(
  current: Preferences,
  { email, events = current.events, digest = current.digest, language = current.language }: Wish,
  tokenEmail: string | undefined,
  now: Date,
): Preferences {
  const { user, askedAt } = current;
  const rest = { user, askedAt, events, digest, language, changedAt: now };
  if (email === undefined) return { ...current, ...rest };
  if (email === null) return rest;
  if (email === current.email || email === tokenEmail) return { ...rest, email };
  const asked = [...askedAt, now].slice(-maxLinks);
  return { ...current, ...rest, waitingEmail: email, askedAt: asked };
}
