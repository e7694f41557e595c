import type { Specification } from './find-order.ts';

/** A call that concerns the accounts of a project: those of its members, and its budget. */
export type Asked =
  /** A job, or a batch of several, that holds so many seconds. */
  | { readonly act: 'submit'; readonly member: number; readonly id: string; readonly held: number }
  | {
      readonly act: 'end';
      readonly member: number;
      readonly id: string;
      readonly held: number;
      readonly used: number;
    }
  /** An administrator grants a member's quota, a leader gives a share of the budget. */
  | ({ readonly act: 'grant' | 'share'; readonly member: number } & Change)
  /** An administrator changes the budget. */
  | ({ readonly act: 'fund' } & Change)
  | { readonly act: 'read'; readonly member: number | 'budget' };

export interface Change {
  readonly mode: 'add' | 'set';
  readonly seconds: number;
}

/** The part of an answer that depends on the accounts. */
export type Told =
  | 'accepted'
  | 'refused'
  /** An end that was not the first. */
  | 'too late'
  /** The job has ended, by this call or before it. */
  | 'done'
  /** Too many at once: the answer promises that nothing was changed. */
  | 'busy'
  | Balance;

/** Seconds that are granted, that remain, and that jobs hold. */
export interface Balance {
  readonly granted: number;
  readonly left: number;
  readonly held: number;
}

interface Member extends Balance {
  /** How much of the grant came from the budget. */
  readonly share: number;
}

export interface Accounts {
  readonly members: readonly Member[];
  readonly budget: Balance;
  readonly active: readonly string[];
  readonly ended: readonly string[];
}

/** Accounts of plain numbers, to which one thing happens at a time. */
export function accountsOf(
  grants: readonly number[],
  budget: number,
): Specification<Accounts, Asked, Told> {
  const open = (granted: number): Balance => ({ granted, left: granted, held: 0 });
  const members = grants.map((granted) => ({ ...open(granted), share: 0 }));
  return {
    initial: { members, budget: open(budget), active: [], ended: [] },
    nameOf: (accounts) =>
      [
        ...accounts.members.map(({ granted, left, held, share }) => [granted, left, held, share]),
        [accounts.budget.granted, accounts.budget.left],
        accounts.active.toSorted(),
        accounts.ended.toSorted(),
      ].join(' '),
    apply(accounts, asked, told) {
      if (told === 'busy') return accounts;
      const outcome = happen(accounts, asked);
      if (outcome === 'impossible') return undefined;
      const after = typeof outcome === 'object' ? outcome : accounts;
      if (told === undefined) return after;
      return agrees(outcome, asked, told) ? after : undefined;
    },
  };
}

type Outcome = Accounts | 'refused' | 'too late' | 'impossible';

function happen(accounts: Accounts, asked: Asked): Outcome {
  switch (asked.act) {
    case 'submit':
      return submit(accounts, asked);
    case 'end':
      return end(accounts, asked);
    case 'grant':
      return grant(accounts, asked);
    case 'share':
      return share(accounts, asked);
    case 'fund': {
      const budget = change(accounts.budget, asked);
      return budget ? { ...accounts, budget } : 'refused';
    }
    case 'read':
      return accounts;
  }
}

/** Returns true if the answer tells what really happened. */
function agrees(outcome: Outcome, asked: Asked, told: Told): boolean {
  if (typeof outcome === 'string') {
    return told === outcome || (outcome === 'too late' && told === 'done');
  }
  if (asked.act !== 'read') return told === 'accepted' || told === 'done';
  const shown = asked.member === 'budget' ? outcome.budget : outcome.members[asked.member];
  if (typeof told !== 'object' || !shown) return false;
  return told.granted === shown.granted && told.left === shown.left && told.held === shown.held;
}

function submit(accounts: Accounts, { member, id, held }: Extract<Asked, { act: 'submit' }>) {
  const active = [...accounts.active, id];
  return update({ ...accounts, active }, member, (account) =>
    held <= account.left
      ? { ...account, left: account.left - held, held: account.held + held }
      : undefined,
  );
}

function end(accounts: Accounts, asked: Extract<Asked, { act: 'end' }>): Outcome {
  const { member, id, held, used } = asked;
  if (accounts.ended.includes(id)) return 'too late';
  if (!accounts.active.includes(id)) return 'impossible';
  const active = accounts.active.filter((each) => each !== id);
  return update({ ...accounts, active, ended: [...accounts.ended, id] }, member, (account) => ({
    ...account,
    left: account.left + held - used,
    held: account.held - held,
  }));
}

/** What an administrator takes away from a share is not given back to the budget. */
function grant(accounts: Accounts, asked: Change & { readonly member: number }): Outcome {
  return update(accounts, asked.member, (account) => {
    const changed = change(account, asked);
    return changed && { ...changed, share: Math.min(account.share, changed.granted) };
  });
}

/** A leader moves seconds between the budget and a member, and takes back only what came from there. */
function share(accounts: Accounts, asked: Change & { readonly member: number }): Outcome {
  const { granted = 0 } = accounts.members[asked.member] ?? {};
  const moved = asked.mode === 'add' ? asked.seconds : asked.seconds - granted;
  if (moved > Math.max(0, accounts.budget.left)) return 'refused';
  const budget = { ...accounts.budget, left: accounts.budget.left - moved };
  return update({ ...accounts, budget }, asked.member, (account) => {
    const changed = account.share + moved < 0 ? undefined : change(account, asked);
    return changed && { ...changed, share: account.share + moved };
  });
}

/** Changes a grant, and what remains by as much. Returns undefined if less than nothing would remain. */
function change<Account extends Balance>(account: Account, { mode, seconds }: Change) {
  const granted = mode === 'add' ? account.granted + seconds : seconds;
  const left = account.left + granted - account.granted;
  return left < 0 ? undefined : { ...account, granted, left };
}

function update(
  accounts: Accounts,
  place: number,
  next: (account: Member) => Member | undefined,
): Outcome {
  const account = accounts.members[place];
  const changed = account && next(account);
  return changed ? { ...accounts, members: accounts.members.with(place, changed) } : 'refused';
}
