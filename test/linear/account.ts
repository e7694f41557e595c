import type { Specification } from './find-order.ts';

/** A call that concerns one account. */
export type Asked =
  /** A job, or a batch of several, of so many seconds each. */
  | { readonly act: 'submit'; readonly id: string; readonly jobs: number; readonly seconds: number }
  | { readonly act: 'end'; readonly id: string; readonly held: number; readonly used: number }
  | { readonly act: 'grant'; readonly mode: 'add' | 'set'; readonly seconds: number }
  | { readonly act: 'read' };

/** The part of an answer that depends on the account. */
export type Told =
  | 'accepted'
  | 'refused'
  /** An end that was not the first. */
  | 'too late'
  /** Seconds that are granted, and that remain. */
  | { readonly granted: number; readonly left: number };

export interface Account {
  readonly granted: number;
  readonly left: number;
  /** Jobs that have ended. */
  readonly ended: readonly string[];
}

/** An account of plain numbers, to which one thing happens at a time. */
export function accountOf(granted: number): Specification<Account, Asked, Told> {
  return {
    initial: { granted, left: granted, ended: [] },
    nameOf: ({ granted: all, left, ended }) => `${all} ${left} ${ended.toSorted().join()}`,
    apply(account, asked, told) {
      switch (asked.act) {
        case 'submit':
          return submit(account, asked.jobs * asked.seconds, told);
        case 'end':
          return end(account, asked, told);
        case 'grant':
          return grant(account, asked, told);
        case 'read':
          return told === undefined || shows(account, told) ? account : undefined;
      }
    },
  };
}

function submit(account: Account, seconds: number, told: Told | undefined): Account | undefined {
  const fits = seconds <= account.left;
  if (told === 'refused') return fits ? undefined : account;
  if (fits) return { ...account, left: account.left - seconds };
  return told === undefined ? account : undefined;
}

function end(
  account: Account,
  { id, held, used }: Extract<Asked, { act: 'end' }>,
  told: Told | undefined,
): Account | undefined {
  const isLate = account.ended.includes(id);
  if (told === 'too late' || (told === undefined && isLate)) return isLate ? account : undefined;
  if (isLate) return undefined;
  return { ...account, left: account.left + held - used, ended: [...account.ended, id] };
}

function grant(
  account: Account,
  { mode, seconds }: Extract<Asked, { act: 'grant' }>,
  told: Told | undefined,
): Account | undefined {
  const granted = mode === 'add' ? account.granted + seconds : seconds;
  const left = account.left + granted - account.granted;
  if (told === 'refused') return left < 0 ? account : undefined;
  if (left < 0) return told === undefined ? account : undefined;
  return { ...account, granted, left };
}

function shows({ granted, left }: Account, told: Told): boolean {
  return typeof told === 'object' && told.granted === granted && told.left === left;
}
