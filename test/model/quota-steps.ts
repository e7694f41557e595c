import { expect } from 'vitest';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import type { Amount } from './accounts.ts';
import { CrashError } from './faults.ts';
import type { StepOf } from './history.ts';
import { type Place, projectAt, welcomeOf } from './places.ts';
import { by, reason, type Scene, type Touched } from './scene.ts';
import { learnWelcome } from './submit-steps.ts';

export async function grant(scene: Scene, step: StepOf<'grant'>): Promise<Touched> {
  const { model } = scene;
  const user = scene.nameOf(step.user);
  const place = projectAt(step.project);
  const { project } = place;
  const mode = step.add ? 'add' : 'set';
  const amounts = { mode, seconds: step.time, kilobytes: step.space } as const;
  const order = { user, project, by, reason, change: { amounts } };
  const run = () => grantQuota(scene.table, scene.catalog, order, scene.now);
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) await learnWelcome(scene, user);
  else if (!model.account(user, project.name)) model.welcome(user, welcomeOf(scene.catalog));
  const before = model.account(user, project.name)?.granted ?? { time: 0, space: 0 };
  const after = step.add
    ? { time: before.time + step.time, space: before.space + step.space }
    : { time: step.time, space: step.space };
  const left = model.left(user, project.name);
  const fits =
    left.time + after.time - before.time >= 0 && left.space + after.space - before.space >= 0;
  if (outcome instanceof CrashError) await adoptGrant(scene, user, place, after);
  else if (outcome instanceof Error)
    expect([outcome.name, fits]).toEqual(['QuotaInUseError', false]);
  else {
    expect(fits).toBe(true);
    model.grant(user, project.name, after);
  }
  return { user, places: [place] };
}

/** A dead grant was made, or it was not. */
async function adoptGrant(scene: Scene, user: UserId, place: Place, after: Amount): Promise<void> {
  const stored = await scene.read(user, place);
  if (!stored) return;
  const found = { time: stored.time.granted, space: stored.space.granted };
  const before = scene.model.account(user, place.project.name)?.granted;
  expect([before, after]).toContainEqual(found);
  scene.model.grant(user, place.project.name, found);
}

export async function remove(scene: Scene, step: StepOf<'remove'>): Promise<Touched> {
  const { model } = scene;
  const user = scene.nameOf(step.user);
  const place = projectAt(step.project);
  const { project } = place;
  const run = () => removeQuota(scene.table, { user, project, by, reason }, scene.now);
  const held = model.held(user, project.name);
  const drawn = model.drawn(project.name, user);
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) {
    if (!(await scene.read(user, place))) model.close(user, project.name);
  } else if (!model.account(user, project.name)) {
    expect(outcome).toMatchObject({ name: 'QuotaNotFoundError' });
  } else if (held.time > 0 || held.space > 0 || held.jobs > 0 || drawn.space > 0) {
    expect(outcome).toMatchObject({ name: 'QuotaInUseError' });
  } else {
    expect(outcome).not.toBeInstanceOf(Error);
    model.close(user, project.name);
  }
  return { user, places: [place] };
}
