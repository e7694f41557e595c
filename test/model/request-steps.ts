import { expect } from 'vitest';
import { askForQuota, withdrawRequest } from '#lib/requests/ask-for-quota.ts';
import { approveRequest, declineRequest } from '#lib/requests/decide-request.ts';
import { readOpenRequests } from '#lib/requests/open-requests.ts';
import { findRequest, listOwnRequests } from '#lib/requests/request-store.ts';
import type { ModelRequest } from './accounts.ts';
import { CrashError } from './faults.ts';
import type { StepOf } from './history.ts';
import { projectAt, welcomeOf } from './places.ts';
import { by, reason, type Scene, type Touched } from './scene.ts';
import { learnWelcome } from './submit-steps.ts';

export async function ask(scene: Scene, step: StepOf<'ask'>): Promise<Touched> {
  const { model, table, now } = scene;
  const { touched, user, project } = placeOf(scene, step);
  const wanted = { seconds: step.time, kilobytes: step.space };
  const run = () => askForQuota(table, { user, project, wanted, reason }, now);
  const outcome = await scene.attempt(step.fault, run);
  const before = model.request(user, project.name);
  if (before?.state === 'open' && !(outcome instanceof CrashError)) {
    expect(outcome).toMatchObject({
      name: 'RequestOpenError',
      facts: { requestId: before.id },
    });
  } else if (!(outcome instanceof CrashError)) expect(outcome).not.toBeInstanceOf(Error);
  // Whatever came of it, the table has the one that was open, or a new one, or none.
  const stored = (await listOwnRequests(table, user, 100)).entries;
  const open = stored.filter(({ state, project: { name } }) => {
    return state === 'open' && name === project.name;
  });
  expect(open.length).toBeLessThanOrEqual(1);
  const [found] = open;
  if (before?.state === 'open') expect(found?.id).toBe(before.id);
  else if (found) {
    const { seconds: time, kilobytes: space } = found.wanted;
    expect({ time, space }).toEqual({ time: step.time, space: step.space });
    model.requests.set(`${user} ${project.name}`, {
      id: found.id,
      wanted: { time, space },
      state: 'open',
    });
  } else expect(outcome).toBeInstanceOf(CrashError);
  await verifyOpen(scene, touched);
  return touched;
}

export async function approve(scene: Scene, step: StepOf<'approve'>): Promise<Touched | undefined> {
  const { model, table, now } = scene;
  const { touched, user, project } = placeOf(scene, step);
  const request = model.request(user, project.name);
  if (!request) return undefined;
  const { time, space } = request.wanted;
  const granted = step.less ? { time: 1, space: 0 } : { time, space };
  const less = step.less ? { granted: { seconds: 1, kilobytes: 0 } } : {};
  const order = { request: request.id, by, reason, ...less };
  const outcome = await scene.attempt(step.fault, () =>
    approveRequest(table, scene.catalog, order, now),
  );
  if (outcome instanceof CrashError) {
    await learnWelcome(scene, user);
    const { state } = await findRequest(table, request.id);
    if (state === 'approved' && request.state === 'open') {
      model.approve(user, project.name, granted);
    }
  } else if (request.state !== 'open') expectEnded(outcome, request);
  else {
    expect(outcome).not.toBeInstanceOf(Error);
    if (!model.account(user, project.name)) model.welcome(user, welcomeOf(scene.catalog));
    model.approve(user, project.name, granted);
  }
  await verifyOpen(scene, touched);
  return touched;
}

export async function decline(scene: Scene, step: StepOf<'decline'>): Promise<Touched | undefined> {
  const run = (request: ModelRequest) =>
    declineRequest(scene.table, { request: request.id, by, reason }, scene.now);
  return endWithoutGrant(scene, step, 'declined', run);
}

export async function withdraw(
  scene: Scene,
  step: StepOf<'withdraw'>,
): Promise<Touched | undefined> {
  const user = scene.nameOf(step.user);
  const run = (request: ModelRequest) => withdrawRequest(scene.table, user, request.id, scene.now);
  return endWithoutGrant(scene, step, 'withdrawn', run);
}

async function endWithoutGrant(
  scene: Scene,
  step: StepOf<'decline' | 'withdraw'>,
  state: 'declined' | 'withdrawn',
  run: (request: ModelRequest) => Promise<unknown>,
): Promise<Touched | undefined> {
  const { touched, user, project } = placeOf(scene, step);
  const request = scene.model.request(user, project.name);
  if (!request) return undefined;
  const outcome = await scene.attempt(step.fault, () => run(request));
  // A second click on `withdraw` is harmless.
  const mayRepeat = state === 'withdrawn' && request.state === state;
  if (outcome instanceof CrashError) {
    const stored = await findRequest(scene.table, request.id);
    if (request.state === 'open' && stored.state === state) request.state = state;
  } else if (request.state !== 'open' && !mayRepeat) expectEnded(outcome, request);
  else {
    expect(outcome).toMatchObject({ state });
    request.state = state;
  }
  await verifyOpen(scene, touched);
  return touched;
}

function placeOf(scene: Scene, step: { readonly user: string; readonly project: number }) {
  const user = scene.nameOf(step.user);
  const place = projectAt(step.project);
  const { project } = place;
  return { user, project, touched: { user, places: [place] } };
}

function expectEnded(outcome: unknown, { state }: ModelRequest): void {
  expect(outcome).toMatchObject({ name: 'RequestEndedError', facts: { state } });
}

/** As many are open as should be: the next one can be asked for, or cannot. */
async function verifyOpen({ table, model }: Scene, { user }: Touched): Promise<void> {
  const { requests } = await readOpenRequests(table, user);
  expect(requests.map(({ id }) => id).sort()).toEqual(model.openRequests(user).sort());
}
