import { expect } from 'vitest';
import { ask } from './ask.ts';
import { expectJobs, expectQuotas, type Quota } from './shapes.ts';
import type { Account, Target } from './target.ts';

interface State {
  readonly newestJob: number | undefined;
  readonly quotas: readonly Quota[];
}

/** Watches what an account holds: jobs and quotas. */
export interface Witness {
  readonly account: Account;
  /** Looks also where `act` has thrown, so that the next case is not blamed for this one. */
  expectNothingWrittenBy(act: (account: Account) => Promise<void>): Promise<void>;
}

export async function watch(target: Target, account: Account): Promise<Witness> {
  let before = await readState(target, account);
  return {
    account,
    expectNothingWrittenBy: async (act) => {
      const [outcome] = await Promise.allSettled([act(account)]);
      const after = await readState(target, account);
      const expected = target.has('newcomer') ? before : allowReturns(before, after);
      before = after;
      if (outcome.status === 'rejected') throw outcome.reason;
      expect(after).toEqual(expected);
    },
  };
}

/** Jobs of a used account may end at any moment, and give back what they did not use. */
function allowReturns({ newestJob, quotas }: State, after: State): State {
  const atLeast = (quota: Quota, index: number): Quota => ({
    ...quota,
    space_left: Math.max(quota.space_left, after.quotas[index]?.space_left ?? 0),
    time_left: Math.max(quota.time_left, after.quotas[index]?.time_left ?? 0),
  });
  return { newestJob, quotas: quotas.map(atLeast) };
}

async function readState(target: Target, { token }: Account): Promise<State> {
  const [newest] = expectJobs(await ask(target, { path: '/jobs/?order=desc&limit=1', token }));
  const quotas = expectQuotas(await ask(target, { path: '/quotas/', token }));
  return { newestJob: newest?.id, quotas };
}
