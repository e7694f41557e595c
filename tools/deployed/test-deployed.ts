import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#infra/settings/config.ts';
import { flag, runTool, text } from '../run-tool.ts';
import { makeApp } from '../stacks/make-app.ts';
import { StepFailedError, tellSteps } from '../tell-steps.ts';
import { openImitation, reportJob, writeCatalog } from './aws-batch.ts';
import { Deployment } from './deployment.ts';
import { installTools, packages, startEmulator } from './emulator.ts';
import { deployFirst, findApi } from './first-deployment.ts';
import {
  checkContract,
  checkTriggers,
  countCalledFunctions,
  createUsers,
  runSmoke,
} from './first-use.ts';
import { openHttpsFront } from './https-front.ts';
import { runRelatedJobs } from './related-jobs.ts';
import { addressOf, type Scene, type Service, tell } from './scene.ts';
import { moveOn, rollBack, updateFunction } from './second-deployment.ts';

const help = `Deploys Slipway to an emulator of AWS on this machine, uses it, changes it and removes it.
Prints a line with the time of each step, and what the emulator cannot do.

  npm run suite -- deployed [-c catalog=FILE] [--hpc NAME] [--program TEXT] [--app FOLDER] [--from FOLDER]
                            [--brief] [--stay] [--aws-batch]

  -c, --context  setting of docs/settings.md, as for cdk deploy; can be repeated
  --hpc          system to run a job on (default: the first one that takes a command)
  --program      command to run there, or the name of a tool
  --app          folder that cdk synth wrote, which saves the time to write it again
  --from         folder that cdk synth wrote in an earlier release: deploys that first, and then
                 updates it by the commands of docs/updating.md
  --brief        leave out the contract, which takes most of the time
  --stay         keep the deployment until Ctrl-C, after its first use
  --aws-batch    add a system on AWS Batch, which the emulator cannot run, and lead the functions to
                 an imitation that runs containers as processes; leaves out the contract

Needs python3 and openssl, and downloads the emulator with pip. Takes some ten minutes.
`;

const options = {
  context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
  hpc: text,
  program: text,
  app: text,
  from: text,
  brief: flag,
  stay: flag,
  'aws-batch': flag,
} as const;

const say = (line: string) => process.stdout.write(`${line}\n`);

await runTool(help, options, async ({ hpc, program, app, from, brief, stay, ...given }) => {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-deployed-'));
  const context = given['aws-batch']
    ? [...given.context, `catalog=${writeCatalog(directory)}`]
    : given.context;
  const settings = context.flatMap((setting) => ['-c', setting]);
  const config = readConfig(makeApp(Object.fromEntries(context.map(splitSetting))).node);
  const { stage } = config;
  const [awsBatch] = given['aws-batch'] ? config.awsBatch : [];
  const imitation = awsBatch && (await openImitation(awsBatch));
  const step = tellSteps(say);
  await step('tools', async () => {
    installTools();
    return { words: packages.join(', '), result: undefined };
  });
  const emulator = await startEmulator(directory, imitation?.environment);
  const front = await openHttpsFront(directory, emulator.port);
  imitation?.connect(front.openSslEnvironment);
  const deployment = new Deployment(emulator, directory);
  const shared = { stage, settings, directory, emulator, front, deployment, step, say };
  const scene: Scene = { ...shared, counts: [], gaps: [] };
  const job = [...(hpc ? ['--hpc', hpc] : []), ...(program ? ['--program', program] : [])];
  try {
    const first = await deployFirst(scene, from ?? app);
    const service = await createUsers(scene, await findApi(scene));
    await runSmoke(scene, service, job);
    const assembly = from === undefined ? first : await moveOn(scene, service);
    if (stay) await waitForSignal(scene, service);
    if (!brief && !awsBatch) await checkContract(scene, service);
    // The contract expects lists of plain jobs, so batches come after it.
    await runRelatedJobs(scene, service);
    if (awsBatch) {
      await runSmoke(scene, service, ['--hpc', awsBatch.name]);
      await runRelatedJobs(scene, service, awsBatch.name);
      await reportJob(scene, awsBatch);
    }
    await checkTriggers(scene);
    await countCalledFunctions(scene);
    const changed = await updateFunction(scene, service, assembly);
    await rollBack(scene, service, changed);
    await runSmoke(scene, service, job);
    await destroyAll(scene, changed);
  } catch (error) {
    say(`Logs: ${directory}`);
    if (error instanceof StepFailedError) return 1;
    throw error;
  } finally {
    front.close();
    await emulator.stop();
    imitation?.close();
  }
  summarize(scene);
  rmSync(directory, { recursive: true, force: true });
  return 0;
});

/** Keeps the deployment for somebody who wants to try it. */
async function waitForSignal({ emulator, front }: Scene, service: Service): Promise<void> {
  const variables = {
    ...emulator.environment,
    ...front.environment,
    BASE: addressOf(service.api),
    TOKEN: service.token,
    ADMIN_TOKEN: service.administratorToken,
  };
  say('\nSet these in another terminal. Press Ctrl-C here to go on.\n');
  for (const [name, value] of Object.entries(variables)) say(`export ${name}=${value}`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
}

async function destroyAll({ step, deployment }: Scene, assembly: string): Promise<void> {
  await step('destroy', async () => {
    await deployment.cdk('destroy', '--all', '--force', '--app', assembly);
    const stacks = (await deployment.stacks()).map(({ name }) => name);
    const functions = [...(await deployment.functions()).keys()];
    const left = [...stacks.filter((name) => name !== 'CDKToolkit'), ...functions];
    if (left.length > 0) throw new Error(`Not removed: ${left.join(', ')}.`);
    return tell('no stack and no function is left');
  });
}

function summarize({ counts, gaps }: Scene): void {
  say(`\n${packages[0]?.replace('==', ' ')}: ${counts.join('; ')}.`);
  say(`${gaps.length} gaps of the emulator:`);
  for (const gap of gaps) say(`- ${gap}`);
}

function splitSetting(setting: string): [name: string, value: string] {
  const [name = '', ...value] = setting.split('=');
  return [name, value.join('=')];
}
