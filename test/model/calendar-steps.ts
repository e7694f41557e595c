import type { UserId } from '#lib/catalog/identifiers.ts';
import { attendQuotas } from '#lib/quotas/ends/attend-quotas.ts';
import type { QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { grantQuota } from '#lib/quotas/grants/grant-quota.ts';
import { type Amount, firstOfNextMonth } from './accounts.ts';
import type { Fault, StepOf } from './history.ts';
import { type Place, projectAt } from './places.ts';
import { by, reason, type Scene, type Touched } from './scene.ts';
import { ledgersOf } from './verify.ts';

/** The end comes, and a sweep that may die takes back what is left; the next one finishes it. */
export async function expire(scene: Scene, step: StepOf<'expire'>): Promise<Touched | undefined> {
  const { user, place, account } = find(scene, step);
  if (!account || account.expired) return undefined;
  await change(scene, user, place, { validUntil: new Date(scene.now.getTime() + 500) });
  scene.passSecond();
  scene.model.expire(user, place.project.name, scene.now);
  return sweep(scene, user, step.fault);
}

export async function prolong(scene: Scene, step: StepOf<'prolong'>): Promise<Touched | undefined> {
  const { user, place, account } = find(scene, step);
  if (!account) return undefined;
  await change(scene, user, place, { validUntil: null });
  scene.model.prolong(account, scene.now);
  return { user, places: [place] };
}

/** A quota is to renew, its moment comes, or several of them, and a sweep that may die. */
export async function renew(scene: Scene, step: StepOf<'renew'>): Promise<Touched | undefined> {
  const { user, place, account } = find(scene, step);
  if (!account) return undefined;
  const { to, carryOver } = step;
  const rule = { every: 'monthly', on: 1, month: 1 } as const;
  const amounts = { to: amountOf(to), carryOver: amountOf(carryOver) };
  await change(scene, user, place, { renews: { ...rule, ...amounts } });
  const next = account.renewal?.next ?? firstOfNextMonth(scene.now);
  account.renewal = { to, carryOver, next };
  scene.passTo(firstOfNextMonth(scene.now, step.months));
  return sweep(scene, user, step.fault);
}

export async function renewNoMore(
  scene: Scene,
  step: StepOf<'renew no more'>,
): Promise<Touched | undefined> {
  const { user, place, account } = find(scene, step);
  if (!account) return undefined;
  await change(scene, user, place, { renews: null });
  account.renewal = undefined;
  return { user, places: [place] };
}

/** It attends to whatever is due, of both users. */
async function sweep(scene: Scene, user: UserId, fault: Fault | null): Promise<Touched> {
  const { model, table, now } = scene;
  const run = () => attendQuotas(table, () => now);
  await scene.attempt(fault, run);
  await run();
  model.sweep(now);
  return { user, places: ledgersOf(model, user) };
}

function find(scene: Scene, { user: name, project }: Pick<StepOf<'prolong'>, 'user' | 'project'>) {
  const user = scene.nameOf(name);
  const place = projectAt(project);
  return { user, place, account: scene.model.account(user, place.project.name) };
}

async function change(
  { table, catalog, now }: Scene,
  user: UserId,
  { project }: Place,
  wanted: QuotaChange,
): Promise<void> {
  await grantQuota(table, catalog, { user, project, by, reason, change: wanted }, now);
}

function amountOf({ time, space }: Amount) {
  return { seconds: time, kilobytes: space };
}
