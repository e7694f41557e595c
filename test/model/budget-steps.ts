import { expect } from 'vitest';
import { readBudget } from '#lib/budgets/budget.ts';
import { changeBudget } from '#lib/budgets/change-budget.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import type { Amount } from './accounts.ts';
import { CrashError } from './faults.ts';
import type { StepOf } from './history.ts';
import { projectAt, welcomeOf } from './places.ts';
import { by, reason, type Scene, type Touched } from './scene.ts';
import { learnWelcome } from './submit-steps.ts';

const none: Amount = { time: 0, space: 0 };

/** An administrator gives a project a budget, or changes it. */
export async function giveBudget(
  scene: Scene,
  step: StepOf<'give a budget'>,
): Promise<Touched | undefined> {
  const { model, table } = scene;
  const place = projectAt(step.project);
  const { project } = place;
  const change = { amounts: amountsOf(step) };
  const before = model.budgets.get(project.name)?.granted ?? none;
  const after = step.add ? add(before, step) : { time: step.time, space: step.space };
  const left = model.budgetLeft(project.name);
  const fits =
    left.time + after.time - before.time >= 0 && left.space + after.space - before.space >= 0;
  const run = () => changeBudget(table, { project, change, reason, by }, scene.now);
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) {
    const stored = await readBudget(table, project);
    if (stored) {
      const found = { time: stored.time.granted, space: stored.space.granted };
      expect([before, after]).toContainEqual(found);
      model.giveBudget(project.name, found);
    }
  } else if (outcome instanceof Error) {
    expect([outcome.name, fits], outcome.stack).toEqual(['QuotaInUseError', false]);
  } else {
    expect(fits).toBe(true);
    model.giveBudget(project.name, after);
  }
  return { user: scene.nameOf('1'), places: [place] };
}

/** A leader gives a member a share of the budget, or takes some of it back. */
export async function share(scene: Scene, step: StepOf<'share'>): Promise<Touched> {
  const { model, table } = scene;
  const user = scene.nameOf(step.user);
  const place = projectAt(step.project);
  const { project } = place;
  const change = { amounts: amountsOf(step) };
  const order = { user, project, by, reason, change, fromBudget: true };
  const run = () => grantQuota(table, scene.catalog, order, scene.now);
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) await learnWelcome(scene, user);
  else if (!model.account(user, project.name)) model.welcome(user, welcomeOf(scene.catalog));
  const { granted } = model.account(user, project.name) ?? { granted: none };
  const added = step.add
    ? { time: step.time, space: step.space }
    : { time: step.time - granted.time, space: step.space - granted.space };
  const refusal = model.refuseShare(user, project.name, added);
  if (outcome instanceof CrashError) {
    const stored = await scene.read(user, place);
    if (!stored) return { user, places: [place] };
    const found = { time: stored.time.granted, space: stored.space.granted };
    const isNew = !model.account(user, project.name);
    const isDone = isNew || found.time !== granted.time || found.space !== granted.space;
    if (isDone) {
      expect(found).toEqual(add(granted, added));
      model.share(user, project.name, added);
    }
  } else if (outcome instanceof Error) expect(outcome.name, outcome.stack).toBe(refusal);
  else {
    expect(refusal).toBeUndefined();
    model.share(user, project.name, added);
  }
  return { user, places: [place] };
}

function amountsOf({ add: adds, time, space }: Pick<StepOf<'share'>, 'add' | 'time' | 'space'>) {
  return { mode: adds ? 'add' : 'set', seconds: time, kilobytes: space } as const;
}

function add(to: Amount, { time, space }: Amount): Amount {
  return { time: to.time + time, space: to.space + space };
}
