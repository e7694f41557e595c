import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { breakFunction, changeFunction } from './assembly.ts';
import { explainCommand, type StackResource } from './deployment.ts';
import { eventsOfUpdates } from './gaps.ts';
import { dataStack, noteGap, type Scene, type Service, serviceStack, tell } from './scene.ts';

/**
 * Changes one function and deploys again. Nothing else may change. Returns the folder of the
 * deployed assembly.
 */
export async function updateFunction(
  scene: Scene,
  service: Service,
  assembly: string,
): Promise<string> {
  const { step, deployment, directory } = scene;
  const changed = join(directory, 'changed');
  await step('update', async () => {
    const version = await readVersion(scene, service);
    const change = changeVersion(scene, version, `${version}-changed`);
    const id = changeFunction([assembly, changed], change);
    const before = await takeStock(scene);
    const { answers } = await askThroughout(scene, service, () => deployment.deployAll(changed));
    const after = await takeStock(scene);
    expectOnly([id], await deployment.changes(serviceStack(scene)));
    expectOnly([change.functionName], differing(before.functions, after.functions));
    expectOnly([], differing(before.resources, after.resources));
    await expectVersion(scene, service, `${version}-changed`);
    const named = await deployment.countUpdatesInEvents(serviceStack(scene));
    if (named === 1) throw new Error(`'${eventsOfUpdates.name}' is not a gap any more.`);
    noteGap(scene, eventsOfUpdates, `${named} named, 1 changed`);
    return tell(
      `only ${change.functionName} changed, of ${after.functions.size} functions; ` +
        `${after.resources.size} resources kept their ids; all ${answers} answers meanwhile were good`,
    );
  });
  return changed;
}

/** Deploys a good change together with one that cannot be made. Both must be undone. */
export async function rollBack(scene: Scene, service: Service, assembly: string): Promise<void> {
  const { step, deployment, directory, stage } = scene;
  await step('rollback', async () => {
    const broken = join(directory, 'broken');
    const version = await readVersion(scene, service);
    changeFunction([assembly, broken], changeVersion(scene, version, `${version}-broken`));
    breakFunction(broken, serviceStack(scene), `slipway-${stage}-withdraw-request`);
    const before = await takeStock(scene);
    const { answers, result } = await askThroughout(scene, service, () =>
      deployment.deployAll(broken).catch(explainCommand),
    );
    if (!result?.includes('missing.zip')) throw new Error('The broken deployment did not fail.');
    const { status } = await deployment.settle(serviceStack(scene));
    if (status !== 'UPDATE_ROLLBACK_COMPLETE') throw new Error(`The stack is ${status}.`);
    const after = await takeStock(scene);
    expectOnly([], differing(before.code, after.code));
    expectOnly([], differing(before.resources, after.resources));
    await expectVersion(scene, service, version);
    return tell(`${status}; all code is as before; all ${answers} answers meanwhile were good`);
  });
}

function changeVersion({ stage }: Scene, from: string, to: string) {
  return {
    stack: `slipway-${stage}-service`,
    functionName: `slipway-${stage}-read-status`,
    changeCode: (code: string) => code.replaceAll(`"${from}"`, `"${to}"`),
  };
}

async function readVersion({ deployment }: Scene, { api }: Service): Promise<string> {
  const { text } = await deployment.get(api, '/status/');
  return v.parse(v.object({ version: v.string() }), JSON.parse(text)).version;
}

async function expectVersion(scene: Scene, service: Service, version: string): Promise<void> {
  const found = await readVersion(scene, service);
  if (found !== version) throw new Error(`The service reports ${found}, not ${version}.`);
}

function expectOnly(expected: readonly string[], found: readonly string[]): void {
  if (found.join() === expected.join()) return;
  throw new Error(`Changed: ${found.join(', ')}. Expected: ${expected.join(', ') || 'nothing'}.`);
}

/** Notes which code and which time of change each function has, and which id each resource. */
async function takeStock(scene: Scene) {
  const { deployment } = scene;
  const resources: StackResource[] = [];
  for (const stack of [dataStack(scene), serviceStack(scene)]) {
    resources.push(...(await deployment.resources(stack)));
  }
  const functions = await deployment.functions();
  const states = [...functions].map(
    ([name, { code, since }]) => [name, `${code} ${since}`] as const,
  );
  return {
    functions: new Map(states),
    code: new Map([...functions].map(([name, { code }]) => [name, code])),
    resources: new Map(resources.map((each) => [each.LogicalResourceId, each.PhysicalResourceId])),
  };
}

type Stock = ReadonlyMap<string, string>;

function differing(before: Stock, after: Stock): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** Asks the service all the time while something happens. Every answer must be good. */
async function askThroughout<Result>(
  { deployment }: Scene,
  { api, token }: Service,
  work: () => Promise<Result>,
): Promise<{ readonly answers: number; readonly result: Result }> {
  let isOver = false;
  let answers = 0;
  const ask = async (path: string, by?: string) => {
    const { status, text } = await deployment.get(api, path, by);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    JSON.parse(text);
    answers += 1;
  };
  const asking = async () => {
    while (!isOver) {
      await ask('/status/');
      await ask('/quotas/', token);
      await setTimeout(200);
    }
  };
  const working = work().finally(() => {
    isOver = true;
  });
  const [, result] = await Promise.all([asking(), working]);
  return { answers, result };
}
