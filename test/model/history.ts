import fc from 'fast-check';
import type { Amount } from './accounts.ts';

/** What may go wrong with a step: its process dies at a call, or others write at the same moment. */
export type Fault =
  | { readonly kind: 'crash'; readonly at: number; readonly takesEffect: boolean }
  | { readonly kind: 'conflict'; readonly times: number };

interface Faulty {
  readonly fault: Fault | null;
}

interface OfAccount {
  readonly user: string;
  /** One of the projects, by its place. One is of a system that comes later, two have a budget. */
  readonly project: number;
}

/** A job is meant by a number; of as many jobs as there are at that moment. */
interface OfJob {
  readonly job: number;
}

interface OfBatch {
  readonly batch: number;
}

export type Step =
  | (OfAccount &
      Faulty & {
        readonly act: 'submit';
        readonly nodes: number;
        readonly hours: number;
        readonly kilobytes: number;
        readonly key: number | null;
        /** Whether the token has the group of the project. */
        readonly joins: boolean;
      })
  | (Faulty & { readonly act: 'replay'; readonly submission: number })
  | (OfJob & Faulty & { readonly act: 'end'; readonly share: number; readonly failed: boolean })
  | (OfJob & Faulty & { readonly act: 'cancel' })
  | (OfJob & { readonly act: 'hand over' })
  | (OfJob & Faulty & { readonly act: 'hear of a cancelled'; readonly share: number })
  | (OfJob & { readonly act: 'cancel another user’s' })
  | (OfJob & { readonly act: 'end and cancel at once'; readonly share: number })
  | (OfAccount &
      Faulty & {
        readonly act: 'grant';
        readonly add: boolean;
        readonly time: number;
        readonly space: number;
      })
  | (Faulty & {
      readonly act: 'give a budget';
      readonly project: number;
      readonly add: boolean;
      readonly time: number;
      readonly space: number;
    })
  | (OfAccount &
      Faulty & {
        readonly act: 'share';
        readonly add: boolean;
        readonly time: number;
        readonly space: number;
      })
  | (OfAccount & Faulty & { readonly act: 'remove' })
  | (OfAccount & Faulty & { readonly act: 'expire' })
  | (OfAccount & { readonly act: 'prolong' })
  | (OfAccount &
      Faulty & {
        readonly act: 'renew';
        readonly to: Amount;
        readonly carryOver: Amount;
        /** How many moments of renewal pass until somebody looks. */
        readonly months: number;
      })
  | (OfAccount & { readonly act: 'renew no more' })
  | (OfAccount & Faulty & { readonly act: 'ask'; readonly time: number; readonly space: number })
  | (OfAccount & Faulty & { readonly act: 'approve'; readonly less: boolean })
  | (OfAccount & Faulty & { readonly act: 'decline' })
  | (OfAccount & Faulty & { readonly act: 'withdraw' })
  | (OfAccount & Faulty & { readonly act: 'ban'; readonly everywhere: boolean })
  | (OfAccount & Faulty & { readonly act: 'unban'; readonly everywhere: boolean })
  | (OfAccount &
      Faulty & {
        readonly act: 'submit a batch';
        readonly count: number;
        readonly nodes: number;
        readonly hours: number;
        readonly kilobytes: number;
        readonly maxRunning: number | null;
      })
  | (OfBatch &
      Faulty & {
        readonly act: 'attend to a batch';
        /** How often there is still time. */
        readonly checks: number;
      })
  | (OfBatch &
      Faulty & { readonly act: 'discard a batch'; readonly only: 'cancel' | 'delete' | null })
  | (OfBatch & Faulty & { readonly act: 'run failed again' })
  | (OfAccount &
      Faulty & {
        readonly act: 'submit after others';
        readonly nodes: number;
        readonly hours: number;
        readonly kilobytes: number;
        readonly key: number | null;
        readonly joins: boolean;
        /** Jobs and batches of the user, by their numbers, the newest first. */
        readonly after: readonly number[];
        readonly afterAny: readonly number[];
        /** Whose results become the input, and how many kilobytes it leaves. */
        readonly inputFrom: { readonly job: number; readonly results: number } | null;
        /** Whether another user’s job is named, too. */
        readonly foreign: boolean;
      })
  | (Faulty & {
      readonly act: 'tell of an end';
      /** One of those that others wait for, or did, the newest first; it need not have ended. */
      readonly awaited: number;
      /** Whether the storage cannot be reached. */
      readonly away: boolean;
    })
  | (Faulty & {
      readonly act: 'check waiting jobs';
      readonly user: string;
      readonly seconds: number;
      readonly away: boolean;
    })
  | { readonly act: 'open a system' }
  | { readonly act: 'age a profile'; readonly user: string };

export type StepOf<Act extends Step['act']> = Extract<Step, { act: Act }>;

/** A process dies at one of its first calls. */
function faults(calls: number): fc.Arbitrary<Fault | null> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('crash' as const),
        at: fc.integer({ min: 1, max: calls }),
        takesEffect: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('conflict' as const),
        times: fc.integer({ min: 1, max: 2 }),
      }),
    },
  );
}

const fault = faults(6);

export const users = ['1', '22'];

/** Most steps meet in one account: what two or three of them do together is then done often. */
const account = {
  user: fc.constantFrom('1', '1', '1', '22'),
  project: fc.constantFrom(0, 0, 0, 1, 2, 3, 4, 4, 5),
};
const led = fc.constantFrom(4, 4, 5);
const joins = fc.constantFrom(true, true, false);
const job = { job: fc.nat({ max: 1000 }) };

const submit = fc.record({
  act: fc.constant('submit' as const),
  ...account,
  nodes: fc.constantFrom(1, 1, 2, 72, 208, 512),
  hours: fc.constantFrom(0.001, 0.5, 1, 24),
  kilobytes: fc.constantFrom(0, 1, 500, 4000),
  key: fc.option(fc.nat({ max: 4 })),
  joins,
  fault,
});

const giveBudget = fc.record({
  act: fc.constant('give a budget' as const),
  project: led,
  add: fc.boolean(),
  time: fc.constantFrom(-3600, 0, 7200, 200_000, 18_000_000),
  space: fc.constantFrom(-10, 0, 4000, 5000, 10_000_000),
  fault,
});

const share = fc.record({
  act: fc.constant('share' as const),
  user: account.user,
  project: led,
  add: fc.boolean(),
  time: fc.constantFrom(-3600, 0, 1, 3600, 7200, 100_000),
  space: fc.constantFrom(-10, 0, 1, 4000),
  fault,
});

const grant = fc.record({
  act: fc.constant('grant' as const),
  ...account,
  add: fc.boolean(),
  time: fc.constantFrom(-3600, 0, 1, 3600, 7200, 18_000_000),
  space: fc.constantFrom(-10, 0, 1, 4000, 10_000_000),
  fault,
});

const renew = fc.record({
  act: fc.constant('renew' as const),
  ...account,
  to: fc.record({
    time: fc.constantFrom(0, 3600, 18_000_000),
    space: fc.constantFrom(0, 4000),
  }),
  carryOver: fc.record({
    time: fc.constantFrom(0, 1, 7200, 20_000_000),
    space: fc.constantFrom(0, 500, 20_000_000),
  }),
  months: fc.constantFrom(1, 1, 3),
  fault,
});

const batch = { batch: fc.nat({ max: 1000 }) };

const submitMany = fc.record({
  act: fc.constant('submit a batch' as const),
  ...account,
  count: fc.constantFrom(1, 2, 3, 5, 40),
  nodes: fc.constantFrom(1, 1, 2, 72),
  hours: fc.constantFrom(0.001, 0.5, 1),
  kilobytes: fc.constantFrom(0, 1, 500),
  maxRunning: fc.constantFrom(null, 1, 2, 35),
  fault,
});

const newest = fc.nat({ max: 3 });
const few = fc.constantFrom([], [], [0], [1], [2], [0, 1], [1, 3], [7]);

const submitAfter = fc.record({
  act: fc.constant('submit after others' as const),
  user: account.user,
  project: fc.constantFrom(0, 0, 1, 2, 3, 4),
  nodes: fc.constantFrom(1, 1, 2),
  hours: fc.constantFrom(0.001, 0.5, 1),
  kilobytes: fc.constantFrom(0, 0, 1, 500),
  key: fc.option(fc.nat({ max: 4 })),
  joins,
  after: few,
  afterAny: few,
  inputFrom: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({ job: newest, results: fc.constantFrom(0, 1, 40, 40, 4001) }),
    },
  ),
  foreign: fc.constantFrom(...Array.from({ length: 19 }, () => false), true),
  fault: faults(12),
});

const away = fc.constantFrom(false, false, false, true);

const tell = fc.record({
  act: fc.constant('tell of an end' as const),
  awaited: newest,
  away,
  fault: faults(16),
});

const checkWaiting = fc.record({
  act: fc.constant('check waiting jobs' as const),
  user: account.user,
  seconds: fc.constantFrom(1, 61, 301, 311),
  away,
  fault: faults(24),
});

const end = fc.record({
  act: fc.constant('end' as const),
  ...job,
  share: fc.constantFrom(0, 0.3, 0.8, 1, 1.4),
  failed: fc.boolean(),
  fault,
});

const cancel = fc.record({ act: fc.constant('cancel' as const), ...job, fault });

const attendMany = fc.record({
  act: fc.constant('attend to a batch' as const),
  ...batch,
  checks: fc.constantFrom(1, 3, 9999, 9999),
  fault,
});

const discardMany = fc.record({
  act: fc.constant('discard a batch' as const),
  ...batch,
  only: fc.constantFrom(null, null, 'cancel' as const, 'delete' as const),
  fault,
});

/** What chains are made of, and what happens to them. Most jobs end, and most of them well. */
const chainStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: submitAfter },
  { weight: 12, arbitrary: tell },
  { weight: 6, arbitrary: checkWaiting },
  { weight: 12, arbitrary: end.map((each) => ({ ...each, failed: false })) },
  { weight: 8, arbitrary: end },
  { weight: 3, arbitrary: cancel },
  { weight: 2, arbitrary: grant },
  { weight: 2, arbitrary: submitMany.map((each) => ({ ...each, count: Math.min(2, each.count) })) },
  { weight: 3, arbitrary: attendMany },
  { weight: 1, arbitrary: discardMany },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: submitAfter },
  { weight: 6, arbitrary: tell },
  { weight: 4, arbitrary: checkWaiting },
  { weight: 10, arbitrary: submit },
  { weight: 6, arbitrary: end },
  { weight: 5, arbitrary: cancel },
  { weight: 3, arbitrary: grant },
  { weight: 3, arbitrary: giveBudget },
  { weight: 3, arbitrary: share },
  { weight: 5, arbitrary: submitMany },
  { weight: 8, arbitrary: attendMany },
  { weight: 3, arbitrary: discardMany },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('run failed again' as const), ...batch, fault }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('hand over' as const), ...job }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('hear of a cancelled' as const),
      ...job,
      share: fc.constantFrom(0, 0.3, 1, 1.4),
      fault,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('replay' as const),
      submission: fc.nat({ max: 1000 }),
      fault,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('end and cancel at once' as const),
      ...job,
      share: fc.constantFrom(0.3, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('cancel another user’s' as const), ...job }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('remove' as const), ...account, fault }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('expire' as const), ...account, fault }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('prolong' as const), ...account }) },
  { weight: 2, arbitrary: renew },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('renew no more' as const), ...account }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('open a system' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('age a profile' as const), user: account.user }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('ask' as const),
      ...account,
      time: fc.constantFrom(0, 1, 3600, 7200),
      space: fc.constantFrom(1, 10, 4000),
      fault,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('approve' as const),
      ...account,
      less: fc.boolean(),
      fault,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('decline' as const), ...account, fault }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('withdraw' as const), ...account, fault }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('ban' as const),
      ...account,
      everywhere: fc.boolean(),
      fault,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('unban' as const),
      ...account,
      everywhere: fc.boolean(),
      fault,
    }),
  },
);

const batchActs = new Set<Step['act']>([
  'submit a batch',
  'attend to a batch',
  'discard a batch',
  'run failed again',
  'end',
  'cancel',
  'hand over',
  'hear of a cancelled',
  'end and cancel at once',
]);

/** Steps of batches and their jobs in one account, which would seldom meet among all others. */
const ofBatches: fc.Arbitrary<Step> = step
  .filter(({ act }) => batchActs.has(act))
  .map(inOneAccount);

function inOneAccount(chosen: Step): Step {
  return chosen.act === 'submit a batch' ? { ...chosen, user: '1', project: 0 } : chosen;
}

/**
 * Mostly short ones, which shrink well and are many; some of up to 200 steps. Some are about batches
 * or chains alone, which are rarely built, ended and told of in a few steps of any kind.
 */
/** What is done with budgets, once there is one. */
const budgetStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(submit, led).map(([each, project]) => ({ ...each, project })) },
  { weight: 8, arbitrary: end },
  { weight: 3, arbitrary: cancel },
  { weight: 6, arbitrary: share },
  { weight: 2, arbitrary: giveBudget },
  { weight: 1, arbitrary: grant },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('expire' as const),
      user: account.user,
      project: led,
      fault,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('remove' as const),
      user: account.user,
      project: led,
      fault,
    }),
  },
  { weight: 1, arbitrary: fc.tuple(renew, led).map(([each, project]) => ({ ...each, project })) },
);

const ofBudgets: fc.Arbitrary<Step[]> = fc
  .array(budgetStep, { minLength: 5, maxLength: 25, size: 'max' })
  .map((steps) => [openBudget(4), openBudget(5), ...steps]);

function openBudget(project: number): Step {
  const amounts = { add: false, time: 1_000_000, space: 20_000 };
  return { act: 'give a budget', project, ...amounts, fault: null };
}

export function histories(longest: number): fc.Arbitrary<Step[]> {
  return fc.oneof(
    { weight: 29, arbitrary: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }) },
    { weight: 10, arbitrary: fc.array(ofBatches, { minLength: 5, maxLength: 25, size: 'max' }) },
    { weight: 10, arbitrary: fc.array(chainStep, { minLength: 12, maxLength: 50, size: 'max' }) },
    { weight: 5, arbitrary: ofBudgets },
    { weight: 1, arbitrary: fc.array(step, { minLength: 20, maxLength: longest, size: 'max' }) },
  );
}
