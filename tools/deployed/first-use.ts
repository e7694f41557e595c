import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { explainCommand } from './deployment.ts';
import { contractGaps } from './gaps.ts';
import { addressOf, dataStack, noteGap, type Scene, type Service, tell } from './scene.ts';

const password = 'A-rehearsal-of-2026';

/** Creates a user and an administrator in the user pool, and signs both in. */
export async function createUsers(scene: Scene, api: string): Promise<Service> {
  return scene.step('users', async () => {
    const token = await createUser(scene, 'ada@example.org', '306328');
    const administratorToken = await createUser(
      scene,
      'bea@example.org',
      '306329',
      'slipway-admin',
    );
    return {
      words: 'ada@example.org, and the administrator bea@example.org',
      result: { api, token, administratorToken },
    };
  });
}

async function createUser(scene: Scene, name: string, id: string, group?: string): Promise<string> {
  const { deployment } = scene;
  const outputs = await deployment.outputs(dataStack(scene));
  const { UserPoolId = '', UserPoolClientId = '' } = outputs;
  const pool = ['--user-pool-id', UserPoolId];
  const user = [...pool, '--username', name];
  const attributes = { email: name, email_verified: 'true', 'custom:user_id': id };
  await deployment.aws(
    ...['cognito-idp', 'admin-create-user', ...user, '--message-action', 'SUPPRESS'],
    '--user-attributes',
    ...Object.entries(attributes).map(([key, value]) => `Name=${key},Value=${value}`),
  );
  await deployment.aws(
    ...['cognito-idp', 'admin-set-user-password', ...user, '--password', password, '--permanent'],
  );
  if (group !== undefined) {
    await deployment.aws('cognito-idp', 'admin-add-user-to-group', ...user, '--group-name', group);
  }
  const { AuthenticationResult } = await deployment.ask(
    v.object({ AuthenticationResult: v.object({ IdToken: v.string() }) }),
    ...['cognito-idp', 'admin-initiate-auth', ...pool, '--client-id', UserPoolClientId],
    ...['--auth-flow', 'ADMIN_USER_PASSWORD_AUTH'],
    ...['--auth-parameters', `USERNAME=${name},PASSWORD=${password}`],
  );
  return AuthenticationResult.IdToken;
}

/** Runs a job to its end, with the smoke test of the project. */
export async function runSmoke(
  { step, deployment, front, say }: Scene,
  { api, token }: Service,
  more: readonly string[],
): Promise<void> {
  await step('smoke', async () => {
    const lines = await deployment.run(
      process.execPath,
      ['tools/smoke/smoke.ts', '--base-url', addressOf(api), '--seconds', '150', ...more],
      { ...front.environment, SLIPWAY_TOKEN: token },
    );
    for (const line of lines.trimEnd().split('\n')) say(`        ${line}`);
    return tell('a job ran to its end');
  });
}

const ReportForm = v.object({
  testResults: v.array(
    v.object({ assertionResults: v.array(v.object({ title: v.string(), status: v.string() })) }),
  ),
});

/**
 * Runs the contract suite. Only tests that the list of gaps names may fail, and these must. Others
 * have a second attempt, because functions are stopped after seconds of a clock that goes on while
 * this machine is busy.
 */
export async function checkContract(scene: Scene, service: Service): Promise<void> {
  await scene.step('contract', async () => {
    const { passed, failed, skipped } = await runContract(scene, service);
    for (const gap of contractGaps) {
      if (passed.includes(gap.name)) throw new Error(`'${gap.name}' is not a gap any more.`);
      if (failed.includes(gap.name)) noteGap(scene, gap, 'contract');
    }
    const late = failed.filter((title) => !contractGaps.some(({ name }) => name === title));
    const again = late.length === 0 ? passed : (await runContract(scene, service, late)).passed;
    const faults = late.filter((title) => !again.includes(title));
    if (faults.length > 0 || passed.length === 0) {
      throw new Error(`${passed.length} tests passed. Failed: ${faults.join('; ')}`);
    }
    const words = [
      `${passed.length + late.length} tests of the contract passed`,
      ...(late.length > 0 ? [`${late.length} of them at the second attempt`] : []),
      `${failed.length - late.length} failed because of a gap`,
      `${skipped.length} skipped`,
    ].join(', ');
    scene.counts.push(words);
    return tell(words);
  });
}

/** Returns the titles of all tests, or of these alone, by their outcome. */
async function runContract(
  { deployment, directory, front }: Scene,
  { api, token, administratorToken }: Service,
  only: readonly string[] = [],
) {
  const file = join(directory, 'contract.json');
  const pattern = only.map((title) => `${RegExp.escape(title)}$`).join('|');
  const args = [
    ...['run', '--project', 'contract', '--reporter', 'json', '--outputFile', file],
    ...(pattern === '' ? [] : ['--testNamePattern', pattern]),
  ];
  const variables = { BASE_URL: addressOf(api), TOKEN: token, ADMIN_TOKEN: administratorToken };
  await deployment
    .run('node_modules/.bin/vitest', args, { ...front.environment, ...variables })
    .catch(explainCommand);
  const { testResults } = v.parse(ReportForm, JSON.parse(readFileSync(file, 'utf8')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const titled = (status: string) =>
    tests.filter((test) => test.status === status).map(({ title }) => title);
  return { passed: titled('passed'), failed: titled('failed'), skipped: titled('skipped') };
}

interface Trigger {
  readonly kind: 'stream' | 'bus' | 'clock';
  readonly functionName: string;
  /** The event of a schedule. */
  readonly input: string;
}

/**
 * Expects that streams and the bus have called their functions by now. Schedules that are not due
 * yet are played by hand.
 */
export async function checkTriggers(scene: Scene): Promise<void> {
  const { step, emulator, say, counts } = scene;
  await step('triggers', async () => {
    const triggers = await findTriggers(scene);
    let early = 0;
    for (const { kind, functionName, input } of triggers) {
      const line =
        kind === 'stream'
          ? `ESM: Lambda ${functionName} processed`
          : `Lambda ${functionName}: dispatched`;
      const calls = emulator.readLog().split(line).length - 1;
      if (calls === 0 && kind !== 'clock') {
        throw new Error(`The ${kind} has not called ${functionName}.`);
      }
      if (calls === 0) {
        await invoke(scene, functionName, input);
        early += 1;
      }
      const words = calls === 0 ? 'not due yet, invoked by this test' : `called ${calls} times`;
      say(`        ${kind.padEnd(6)} ${functionName}: ${words}`);
    }
    counts.push(`${triggers.length} streams, rules and schedules`);
    return tell(`${triggers.length - early} called by the emulator, ${early} not due yet`);
  });
}

async function findTriggers(scene: Scene): Promise<Trigger[]> {
  const { deployment } = scene;
  const { EventSourceMappings } = await deployment.ask(
    v.object({ EventSourceMappings: v.array(v.object({ FunctionArn: v.string() })) }),
    ...['lambda', 'list-event-source-mappings'],
  );
  const { EventBusName = '' } = await deployment.outputs(dataStack(scene));
  return [
    ...EventSourceMappings.map(({ FunctionArn }) => ({
      kind: 'stream' as const,
      functionName: nameIn(FunctionArn),
      input: '',
    })),
    ...(await findTargets(scene, EventBusName, 'bus')),
    ...(await findTargets(scene, 'default', 'clock')),
  ];
}

const TargetsForm = v.object({
  Targets: v.array(v.object({ Arn: v.string(), Input: v.optional(v.string(), '{}') })),
});

async function findTargets(
  { deployment }: Scene,
  bus: string,
  kind: Trigger['kind'],
): Promise<Trigger[]> {
  const where = ['--event-bus-name', bus];
  const { Rules } = await deployment.ask(
    v.object({ Rules: v.array(v.object({ Name: v.string() })) }),
    ...['events', 'list-rules', ...where],
  );
  const found: Trigger[] = [];
  for (const { Name } of Rules) {
    const { Targets } = await deployment.ask(
      TargetsForm,
      ...['events', 'list-targets-by-rule', ...where, '--rule', Name],
    );
    const functions = Targets.filter(({ Arn }) => Arn.includes(':lambda:'));
    found.push(
      ...functions.map(({ Arn, Input }) => ({ kind, functionName: nameIn(Arn), input: Input })),
    );
  }
  return found;
}

/** `arn:aws:lambda:<region>:<account>:function:<name>`, with an alias in some deployments. */
const nameIn = (arn: string) => arn.split(':')[6] ?? '';

async function invoke(
  { deployment, directory }: Scene,
  name: string,
  input: string,
): Promise<void> {
  const file = join(directory, 'invoked.json');
  const { FunctionError } = await deployment.ask(
    v.object({ FunctionError: v.optional(v.string()) }),
    ...['lambda', 'invoke', '--function-name', name, '--payload', input, file],
  );
  if (FunctionError !== undefined) throw new Error(`${name} failed: ${readFileSync(file, 'utf8')}`);
}

export async function countCalledFunctions(scene: Scene): Promise<void> {
  const { step, deployment, emulator, counts } = scene;
  await step('functions', async () => {
    const names = [...(await deployment.functions()).keys()];
    const log = emulator.readLog();
    const idle = names.filter((name) => !log.includes(`spawned for ${name} `));
    const words = `${names.length - idle.length} of ${names.length} functions have run`;
    counts.push(words);
    return tell(idle.length === 0 ? words : `${words}, not ${idle.join(', ')}`);
  });
}
