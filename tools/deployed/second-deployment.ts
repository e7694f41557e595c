import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { domainNames } from '#infra/settings/domains.ts';
import { breakFunction, changeFunction, leaveOut } from './assembly.ts';
import { explainCommand, unasked } from './deployment.ts';
import { synthesize } from './first-deployment.ts';
import { eventsOfUpdates, resourceGaps } from './gaps.ts';
import {
  dataStack,
  domainStack,
  noteGap,
  type Scene,
  type Service,
  serviceStack,
  tell,
} from './scene.ts';

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
    expectOnly([id], await deployment.changes(domainStack(scene, 'accounts')));
    expectOnly([change.functionName], differing(before.functions, after.functions));
    expectOnly([], differing(before.resources, after.resources));
    await expectVersion(scene, service, `${version}-changed`);
    const named = await deployment.countUpdatesInEvents(domainStack(scene, 'accounts'));
    if (named === 1) throw new Error(`'${eventsOfUpdates.name}' is not a gap any more.`);
    noteGap(scene, eventsOfUpdates, `${named} named, 1 changed`);
    return tell(
      `only ${change.functionName} changed, of ${after.functions.size} functions; ` +
        `${after.resources.size} resources kept their ids; all ${answers} answers meanwhile were good`,
    );
  });
  return changed;
}

/**
 * Updates the deployment of an earlier release by the commands of docs/updating.md. Callers must not
 * notice, and what holds data or has an address must be what it was. Returns the deployed assembly.
 */
export async function moveOn(scene: Scene, service: Service): Promise<string> {
  const { step, deployment } = scene;
  const assembly = await synthesize(scene, 'moved');
  leaveOut(assembly, resourceGaps);
  await step('move', async () => {
    const before = await listLasting(scene);
    const stacks = [
      ...domainNames.map((domain) => domainStack(scene, domain)),
      serviceStack(scene),
    ];
    const { answers } = await askThroughout(scene, service, async () => {
      await deployment.cdk('deploy', ...stacks, '--exclusively', ...unasked(assembly));
      await deployment.deployAll(assembly);
    });
    const after = await listLasting(scene);
    const lost = [...before].filter(([id, physical]) => after.get(id) !== physical);
    const unexpected = lost.filter(([id]) => !id.includes(' CursorSecret'));
    if (unexpected.length > 0) throw new Error(`Replaced: ${unexpected.join('; ')}.`);
    return tell(
      `${before.size - lost.length} resources with data or an address kept; ` +
        `all ${answers} answers meanwhile were good`,
    );
  });
  return assembly;
}

/** What a move must not replace, by stack and logical id. */
async function listLasting(scene: Scene): Promise<ReadonlyMap<string, string>> {
  const types =
    /^AWS::(ApiGatewayV2::(Api|Stage|Route)|Cognito|DynamoDB|Events::EventBus|KMS|Lambda::EventSource|S3::Bucket$|SecretsManager|SNS|SQS::Queue$)/;
  const found = new Map<string, string>();
  for (const stack of [dataStack(scene), serviceStack(scene)]) {
    for (const each of await scene.deployment.resources(stack)) {
      if (!types.test(each.ResourceType)) continue;
      found.set(`${stack} ${each.LogicalResourceId}`, each.PhysicalResourceId);
    }
  }
  return found;
}

/** Deploys a good change together with one that cannot be made. Both must be undone. */
export async function rollBack(scene: Scene, service: Service, assembly: string): Promise<void> {
  const { step, deployment, directory } = scene;
  await step('rollback', async () => {
    const broken = join(directory, 'broken');
    const stack = domainStack(scene, 'accounts');
    const version = await readVersion(scene, service);
    changeFunction([assembly, broken], changeVersion(scene, version, `${version}-broken`));
    breakFunction(broken, stack, `${stack}-withdraw-request`);
    const before = await takeStock(scene);
    const { answers, result } = await askThroughout(scene, service, () =>
      deployment.deployAll(broken).catch(explainCommand),
    );
    if (!result?.includes('missing.zip')) throw new Error('The broken deployment did not fail.');
    const { status } = await deployment.settle(stack);
    if (status !== 'UPDATE_ROLLBACK_COMPLETE') throw new Error(`The stack is ${status}.`);
    const after = await takeStock(scene);
    expectOnly([], differing(before.code, after.code));
    expectOnly([], differing(before.resources, after.resources));
    await expectVersion(scene, service, version);
    return tell(`${status}; all code is as before; all ${answers} answers meanwhile were good`);
  });
}

function changeVersion(scene: Scene, from: string, to: string) {
  const stack = domainStack(scene, 'accounts');
  return {
    stack,
    functionName: `${stack}-read-status`,
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
  const resources = new Map<string, string>();
  const domains = domainNames.map((domain) => domainStack(scene, domain));
  for (const stack of [dataStack(scene), ...domains, serviceStack(scene)]) {
    for (const { LogicalResourceId, PhysicalResourceId } of await deployment.resources(stack)) {
      resources.set(`${stack} ${LogicalResourceId}`, PhysicalResourceId);
    }
  }
  const functions = await deployment.functions();
  const states = [...functions].map(
    ([name, { code, since }]) => [name, `${code} ${since}`] as const,
  );
  return {
    functions: new Map(states),
    code: new Map([...functions].map(([name, { code }]) => [name, code])),
    resources,
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
