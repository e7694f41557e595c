import { expect } from 'vitest';
import { type BanOrder, banUser, unbanUser } from '#lib/bans/ban-user.ts';
import { CrashError } from './faults.ts';
import type { Fault, StepOf } from './history.ts';
import { places, projectAt, welcomeOf } from './places.ts';
import { by, reason, type Scene, type Touched } from './scene.ts';

export async function ban(scene: Scene, step: StepOf<'ban'>): Promise<Touched> {
  const { model, table, catalog, now } = scene;
  const { user, project, order } = orderOf(scene, step);
  const run = () => banUser(table, catalog, order, now);
  const outcome = await repeatAfterCrash(scene, step.fault, run);
  model.welcome(user, welcomeOf(catalog));
  if (!step.everywhere && !model.account(user, project)) {
    expect(outcome).toMatchObject({ name: 'QuotaNotFoundError' });
  } else {
    expect(outcome).not.toBeInstanceOf(Error);
    model.bans.add(step.everywhere ? user : `${user} ${project}`);
  }
  return { user, places };
}

export async function unban(scene: Scene, step: StepOf<'unban'>): Promise<Touched> {
  const { model, table, now } = scene;
  const { user, project, order } = orderOf(scene, step);
  const run = () => unbanUser(table, order, now);
  const outcome = await repeatAfterCrash(scene, step.fault, run);
  const banned = step.everywhere ? user : `${user} ${project}`;
  // A quota may be gone and its ban still be there, to be lifted.
  const known = step.everywhere || model.account(user, project) || model.bans.has(banned);
  if (!model.welcomed.has(user)) expect(outcome).toMatchObject({ name: 'UserNotFoundError' });
  else if (!known) expect(outcome).toMatchObject({ name: 'QuotaNotFoundError' });
  else {
    expect(outcome).not.toBeInstanceOf(Error);
    model.bans.delete(banned);
  }
  return { user, places };
}

function orderOf(scene: Scene, step: StepOf<'ban' | 'unban'>) {
  const user = scene.nameOf(step.user);
  const { hpc, name: project } = projectAt(step.project).project;
  const order: BanOrder = {
    user,
    by,
    reason,
    ...(!step.everywhere && { from: { hpc, project } }),
  };
  return { user, project, order };
}

/** The administrator does not know, and asks again. */
async function repeatAfterCrash<T>(
  scene: Scene,
  fault: Fault | null,
  run: () => Promise<T>,
): Promise<T | Error> {
  const outcome = await scene.attempt(fault, run);
  return outcome instanceof CrashError ? scene.attempt(null, run) : outcome;
}
