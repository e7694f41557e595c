import type { Table } from '#lib/table/table.ts';
import { ban, unban } from './ban-steps.ts';
import { again, attend, discard, submitMany } from './batch-steps.ts';
import { giveBudget, share } from './budget-steps.ts';
import { expire, prolong, renew, renewNoMore } from './calendar-steps.ts';
import { checkWaiting, giveUpWaiting, submitAfter, tell } from './chain-steps.ts';
import type { Faults } from './faults.ts';
import { type Step, users } from './history.ts';
import { cancel, cancelForeign, end, handOver, hear, race } from './job-steps.ts';
import { Ledgers } from './ledgers.ts';
import { ledPlaces, openLedProjects, projectAt } from './places.ts';
import { age } from './profile-steps.ts';
import { grant, remove } from './quota-steps.ts';
import { approve, ask, decline, withdraw } from './request-steps.ts';
import { Scene, type Touched } from './scene.ts';
import { countCosts, forgetSpending, verifySpending } from './spending.ts';
import { verifyStatements } from './statements.ts';
import { replay, submit } from './submit-steps.ts';
import {
  ledgersOf,
  verifyBatches,
  verifyBudgets,
  verifyChains,
  verifyLedgers,
  verifyQuotas,
} from './verify.ts';

/** Plays a history on a table, and holds the table against the model after every step. */
export async function play(
  steps: readonly Step[],
  table: Table,
  faults: Faults,
  history: number,
): Promise<void> {
  openLedProjects(history);
  const scene = new Scene(table, faults, history);
  const { model } = scene;
  const ledgers = new Ledgers(table);
  await forgetSpending(scene);
  try {
    for (const step of steps) {
      scene.passSecond();
      const touched = await take(scene, step);
      if (!touched) continue;
      await verifyQuotas(table, model, touched.user);
      await verifyBatches(table, model, touched.user);
      await verifyChains(table, model, touched.user);
      await verifyLedgers(ledgers, model, touched);
      await verifyBudgets(table, ledgers, model, touched.places);
      await countCosts(scene, ledgers);
      await verifySpending(scene);
    }
  } finally {
    // The clock of another history would find them, because it is behind this one.
    await giveUpWaiting(scene);
  }
  await verifyBudgets(table, ledgers, model, ledPlaces());
  for (const place of ledPlaces()) {
    await verifyStatements(
      table,
      place,
      users.map((each) => scene.nameOf(each)),
      scene.now,
    );
  }
  // What a step did to accounts that it has nothing to do with is seen at the end.
  for (const user of users.map((each) => scene.nameOf(each))) {
    await verifyQuotas(table, model, user);
    await verifyLedgers(ledgers, model, { user, places: ledgersOf(model, user) });
  }
}

async function take(scene: Scene, step: Step): Promise<Touched | undefined> {
  if ('project' in step && !scene.offers(projectAt(step.project))) return undefined;
  switch (step.act) {
    case 'submit':
      return submit(scene, step);
    case 'replay':
      return replay(scene, step);
    case 'end':
      return end(scene, step);
    case 'cancel':
      return cancel(scene, step);
    case 'cancel another user’s':
      return cancelForeign(scene, step);
    case 'hand over':
      return handOver(scene, step);
    case 'hear of a cancelled':
      return hear(scene, step);
    case 'end and cancel at once':
      return race(scene, step);
    case 'grant':
      return grant(scene, step);
    case 'give a budget':
      return giveBudget(scene, step);
    case 'share':
      return share(scene, step);
    case 'remove':
      return remove(scene, step);
    case 'expire':
      return expire(scene, step);
    case 'prolong':
      return prolong(scene, step);
    case 'renew':
      return renew(scene, step);
    case 'renew no more':
      return renewNoMore(scene, step);
    case 'ask':
      return ask(scene, step);
    case 'approve':
      return approve(scene, step);
    case 'decline':
      return decline(scene, step);
    case 'withdraw':
      return withdraw(scene, step);
    case 'ban':
      return ban(scene, step);
    case 'unban':
      return unban(scene, step);
    case 'submit a batch':
      return submitMany(scene, step);
    case 'attend to a batch':
      return attend(scene, step);
    case 'discard a batch':
      return discard(scene, step);
    case 'run failed again':
      return again(scene, step);
    case 'submit after others':
      return submitAfter(scene, step);
    case 'tell of an end':
      return tell(scene, step);
    case 'check waiting jobs':
      return checkWaiting(scene, step);
    case 'open a system':
      scene.openSystem();
      return undefined;
    case 'age a profile':
      return age(scene, step);
  }
}
