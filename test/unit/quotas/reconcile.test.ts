import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Balance, Quota } from '#lib/quotas/quota.ts';
import { type AccountFacts, checkAccount, planRepair } from '#lib/quotas/reconcile.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';

const project = { number: 1, hpc: systemName('hpc_one'), name: projectName('proj_hpc_one_01') };

/** 100 granted of both, 70 left, 10 held by one job, 20 used. The ledger agrees. */
const balance: Balance = { granted: 100, left: 70, held: 10, used: 20 };
const quota: Quota = {
  id: 1,
  user: userId('306328'),
  project,
  time: balance,
  space: balance,
  activeJobs: 1,
  validUntil: undefined,
  renewal: undefined,
  bans: {},
};
const sound: AccountFacts = {
  quota,
  holds: { seconds: 10, kilobytes: 10, activeJobs: 1 },
  ledger: { seconds: 70, kilobytes: 70 },
};

interface Wrong {
  readonly time?: Partial<Balance>;
  readonly space?: Partial<Balance>;
  readonly activeJobs?: number;
  readonly holds?: Partial<AccountFacts['holds']>;
  readonly ledger?: Partial<AccountFacts['ledger']>;
}

function factsWith({ time, space, activeJobs = 1, holds, ledger }: Wrong): AccountFacts {
  return {
    quota: {
      ...quota,
      time: { ...balance, ...time },
      space: { ...balance, ...space },
      activeJobs,
    },
    holds: { ...sound.holds, ...holds },
    ledger: { ...sound.ledger, ...ledger },
  };
}

const wordsOf = (wrong: Wrong) => checkAccount(factsWith(wrong)).map(({ words }) => words);

/** Returns the account after its repair. */
function repaired(facts: AccountFacts): AccountFacts {
  const repair = planRepair(facts);
  if (!repair) return facts;
  const { ledger, holds } = facts;
  return {
    quota: { ...facts.quota, ...repair.after },
    holds,
    ledger: {
      seconds: ledger.seconds + repair.correction.seconds,
      kilobytes: ledger.kilobytes + repair.correction.kilobytes,
    },
  };
}

describe('an account', () => {
  it('that agrees with its jobs and its ledger does not drift, and needs no repair', () => {
    expect(checkAccount(sound)).toEqual([]);
    expect(planRepair(sound)).toBeUndefined();
  });

  it.each([
    {
      wrong: { time: { left: 75 }, ledger: { seconds: 75 } },
      words: ['100 seconds are granted, but 75 left, 10 held and 20 used add up to 105'],
    },
    {
      wrong: { holds: { seconds: 4 } },
      words: ['10 seconds are held, but the jobs hold 4, so 6 belong to no job'],
    },
    {
      wrong: { holds: { seconds: 15 } },
      words: ['10 seconds are held, but the jobs hold 15, so 5 are missing'],
    },
    {
      wrong: { holds: { kilobytes: 0 } },
      words: ['10 kilobytes are held, but the jobs hold 0, so 10 belong to no job'],
    },
    {
      wrong: { activeJobs: 3 },
      words: ['3 active jobs are counted, but there are 1'],
    },
    {
      wrong: { ledger: { kilobytes: 69 } },
      words: ['70 kilobytes are left, but the ledger adds up to 69'],
    },
  ])('drifts: $words', ({ wrong, words }) => {
    expect(wordsOf(wrong)).toEqual(words);
  });

  it('reports the numbers of a drift', () => {
    expect(checkAccount(factsWith({ holds: { seconds: 4 } }))).toMatchObject([
      { kind: 'orphaned-hold', found: 10, expected: 4 },
    ]);
    expect(checkAccount(factsWith({ holds: { seconds: 15 } }))).toMatchObject([
      { kind: 'missing-hold', found: 10, expected: 15 },
    ]);
    expect(checkAccount(factsWith({ ledger: { seconds: 71 } }))).toMatchObject([
      { kind: 'ledger', found: 70, expected: 71 },
    ]);
  });
});

describe('a repair', () => {
  it.each([
    {
      what: 'gives back holds that belong to no job',
      wrong: { holds: { seconds: 0, activeJobs: 0 } },
      after: { granted: 100, left: 80, held: 0, used: 20 },
      correction: 10,
    },
    {
      what: 'takes what a job was never held for',
      wrong: { time: { left: 80, held: 0 }, ledger: { seconds: 80 } },
      after: balance,
      correction: -10,
    },
    {
      what: 'lets the ledger say what is left, where that was changed by hand',
      wrong: { time: { left: 95 } },
      after: balance,
      correction: 0,
    },
    {
      what: 'lets the ledger say what is left, though the account adds up with more',
      wrong: { time: { left: 90, used: 0 } },
      after: balance,
      correction: 0,
    },
    {
      what: 'makes what was used the rest',
      wrong: { time: { used: 50 } },
      after: balance,
      correction: 0,
    },
    {
      what: 'moves nothing where only the number of what is held was wrong',
      wrong: { time: { held: 25 } },
      after: balance,
      correction: 0,
    },
    {
      what: 'gives an orphaned hold back beside a wrong number of what was used',
      wrong: { time: { used: 26 }, holds: { seconds: 0 } },
      after: { granted: 100, left: 80, held: 0, used: 20 },
      correction: 10,
    },
    {
      what: 'never leaves more than was granted',
      wrong: { ledger: { seconds: 500 } },
      after: { granted: 100, left: 90, held: 10, used: 0 },
      correction: -410,
    },
    {
      what: 'never leaves less than nothing',
      wrong: { holds: { seconds: 95 } },
      after: { granted: 100, left: 0, held: 95, used: 5 },
      correction: -70,
    },
    {
      what: 'owes what jobs hold beyond what was granted',
      wrong: { holds: { seconds: 130 } },
      after: { granted: 100, left: -30, held: 130, used: 0 },
      correction: -100,
    },
  ])('$what', ({ wrong, after, correction }) => {
    const repair = planRepair(factsWith(wrong));
    expect(repair?.after.time).toEqual(after);
    expect(repair?.correction).toEqual({ seconds: correction, kilobytes: 0 });
    expect(repair?.after.space).toEqual(balance);
  });

  it('counts the active jobs', () => {
    expect(planRepair(factsWith({ activeJobs: 7 }))).toMatchObject({
      before: { activeJobs: 7 },
      after: { time: balance, space: balance, activeJobs: 1 },
      correction: { seconds: 0, kilobytes: 0 },
    });
  });
});

/** Small amounts, which often agree by chance, and large ones. */
const amount = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.maxSafeNat().map(half));
const signed = fc.oneof(fc.integer({ min: -8, max: 8 }), amount);
const anyBalance = fc.record({ granted: amount, left: signed, held: amount, used: amount });
const anyAccount = fc
  .record({
    time: anyBalance,
    space: anyBalance,
    activeJobs: fc.nat(5),
    holds: fc.record({ seconds: amount, kilobytes: amount, activeJobs: fc.nat(5) }),
    ledger: fc.record({ seconds: signed, kilobytes: signed }),
  })
  .map(({ holds, ledger, ...numbers }) => ({ quota: { ...quota, ...numbers }, holds, ledger }));

/** Keeps sums of three amounts exact. */
function half(number: number): number {
  return Math.floor(number / 8);
}

describe('any account, however wrong', () => {
  it('does not drift after its repair, and keeps its grant', () => {
    fc.assert(
      fc.property(anyAccount, (facts) => {
        const after = repaired(facts);
        expect(checkAccount(after)).toEqual([]);
        expect(after.quota.time.granted).toBe(facts.quota.time.granted);
        expect(after.quota.space.granted).toBe(facts.quota.space.granted);
        expect(planRepair(after)).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('never claims impossible usage, and owes only what its jobs hold beyond the grant', () => {
    fc.assert(
      fc.property(anyAccount, (facts) => {
        const { time } = repaired(facts).quota;
        if (!planRepair(facts)) return;
        expect(time.used).toBeGreaterThanOrEqual(0);
        expect(time.left).toBeGreaterThanOrEqual(Math.min(0, time.granted - time.held));
      }),
      { numRuns: 2000 },
    );
  });
});
