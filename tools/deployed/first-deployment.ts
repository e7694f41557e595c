import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type LeftOut, leaveOut, templateOf } from './assembly.ts';
import { explainCommand } from './deployment.ts';
import { account, region } from './emulator.ts';
import { bucketTags, resourceGaps } from './gaps.ts';
import { addressOf, dataStack, noteGap, type Scene, serviceStack, tell } from './scene.ts';

/** Deploys into the empty account. Returns the folder of the deployed assembly. */
export async function deployFirst(scene: Scene, app: string | undefined): Promise<string> {
  const { step, deployment } = scene;
  await step('bootstrap', async () => {
    await deployment.cdk('bootstrap', `aws://${account}/${region}`);
    return tell(`aws://${account}/${region}`);
  });
  const assembly = await synthesize(scene, 'assembly', app);
  await step('gaps', () => tryGaps(scene, leaveOut(assembly, resourceGaps)));
  await step('deploy', async () => {
    await deployment.deployAll(assembly);
    return tell('cdk deploy --all');
  });
  await step('stacks', () => countResources(scene));
  await step('tags', () => addBucketTags(scene));
  return assembly;
}

/** Writes an assembly, or copies one, to a folder of that name. */
export async function synthesize(
  { step, deployment, settings, directory }: Scene,
  name: string,
  app?: string,
): Promise<string> {
  const assembly = join(directory, name);
  await step('synth', async () => {
    if (app !== undefined) {
      cpSync(app, assembly, { recursive: true });
      return tell(`copied from ${app}`);
    }
    await deployment.cdk('synth', '--quiet', '--output', assembly, ...settings);
    return tell(['cdk synth', ...settings].join(' '));
  });
  return assembly;
}

/** Creates one resource of each gap, and expects the message that the gap names. */
async function tryGaps(scene: Scene, leftOut: readonly LeftOut[]) {
  const { deployment, directory } = scene;
  for (const [index, gap] of resourceGaps.entries()) {
    const found = leftOut.filter((each) => each.gap === gap);
    const [first] = found;
    if (first === undefined) continue;
    const file = join(directory, `gap-${index}.json`);
    writeFileSync(file, templateOf(first));
    const stack = `slipway-gap-${index}`;
    const named = ['--stack-name', stack];
    const said = await deployment
      .aws('cloudformation', 'create-stack', ...named, '--template-body', `file://${file}`)
      .then(async () => (await deployment.settle(stack)).reasons)
      .catch(explainCommand);
    if (!said.includes(gap.message)) {
      throw new Error(`'${gap.name}' is not a gap, or has another message: ${said}`);
    }
    await deployment.aws('cloudformation', 'delete-stack', ...named);
    noteGap(scene, gap, `${found.length} left out`);
  }
  return tell(`${leftOut.length} resources left out`);
}

async function countResources({ deployment, say, counts }: Scene) {
  const stacks = (await deployment.stacks()).filter(({ name }) => !name.startsWith('CDK'));
  const types = new Map<string, number>();
  let count = 0;
  for (const { name, status } of stacks) {
    const resources = await deployment.resources(name);
    count += resources.length;
    for (const { ResourceType } of resources) {
      types.set(ResourceType, (types.get(ResourceType) ?? 0) + 1);
    }
    say(`        ${status} ${name}: ${resources.length} resources`);
  }
  const sorted = [...types].toSorted(([a], [b]) => a.localeCompare(b));
  for (const [type, number] of sorted) say(`        ${String(number).padStart(5)}  ${type}`);
  const words = `${stacks.length} stacks, ${count} resources of ${types.size} types`;
  counts.push(words);
  return tell(words);
}

async function addBucketTags(scene: Scene) {
  const { deployment } = scene;
  const resources = await deployment.resources(dataStack(scene));
  const buckets = resources.filter(({ ResourceType }) => ResourceType === 'AWS::S3::Bucket');
  for (const { PhysicalResourceId } of buckets) {
    const bucket = ['--bucket', PhysicalResourceId];
    const said = await deployment
      .aws('s3api', 'get-bucket-tagging', ...bucket)
      .catch(explainCommand);
    if (!said.includes(bucketTags.message)) {
      throw new Error(`'${bucketTags.name}' is not a gap any more: ${said}`);
    }
    const tags = 'TagSet=[{Key=aws-cdk:auto-delete-objects,Value=true}]';
    await deployment.aws('s3api', 'put-bucket-tagging', ...bucket, '--tagging', tags);
  }
  noteGap(scene, bucketTags, `added to ${buckets.length} buckets`);
  return tell(`added to ${buckets.length} buckets`);
}

/** Returns the id of the API, after its first answer. */
export async function findApi(scene: Scene): Promise<string> {
  const { deployment, counts, step } = scene;
  return step('routes', async () => {
    const { BaseUrl = '' } = await deployment.outputs(serviceStack(scene));
    const api = new URL(BaseUrl).hostname.split('.')[0] ?? '';
    const { Items } = await deployment.ask(
      v.object({ Items: v.array(v.object({ RouteKey: v.string() })) }),
      ...['apigatewayv2', 'get-routes', '--api-id', api],
    );
    const { status, text } = await deployment.get(api, '/status/');
    if (status !== 200) throw new Error(`GET /status/ answered ${status}: ${text}`);
    counts.push(`${Items.length} routes`);
    return { words: `${Items.length} routes at ${addressOf(api)}`, result: api };
  });
}
