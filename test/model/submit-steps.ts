import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import { type Acceptance, submitJob } from '#lib/jobs/submit/submit-job.ts';
import { readProfile } from '#lib/users/profile-store.ts';
import { maxLivingJobs } from './accounts.ts';
import { beginChain, refuseWaits } from './chains.ts';
import { CrashError } from './faults.ts';
import type { StepOf } from './history.ts';
import { placeOfProject, projectAt, welcomeOf } from './places.ts';
import { pick, type Scene, type Touched } from './scene.ts';
import { buildSubmission, costOf, holdOf } from './submissions.ts';

export async function submit(scene: Scene, step: StepOf<'submit'>): Promise<Touched | undefined> {
  const user = scene.nameOf(step.user);
  const place = projectAt(step.project);
  return sendOnce(scene, buildSubmission(user, place, step), step);
}

export async function sendOnce(
  scene: Scene,
  submission: Submission,
  step: Pick<StepOf<'submit'>, 'key' | 'fault'>,
): Promise<Touched | undefined> {
  const { owner: user, project } = submission;
  const key = step.key === null ? undefined : `key-${step.key}`;
  const used = scene.submitted.some((one) => one.key === key && one.submission.owner === user);
  if (used) return undefined;
  const send = () => submitJob(scene.context, submission, key, scene.now);
  const outcome = await scene.attempt(step.fault, send);
  if (outcome instanceof CrashError) {
    // The client does not know, and asks again where it has a key to ask with.
    await learnWelcome(scene, user);
    await learnMember(scene, submission);
    if (key === undefined) await adoptJob(scene, submission);
    else accept(scene, submission, key, await scene.attempt(null, send));
  } else accept(scene, submission, key, outcome);
  return { user, places: [placeOfProject(project.name)] };
}

/** The same request with the same key: the same job, whatever has become of the account. */
export async function replay(scene: Scene, step: StepOf<'replay'>): Promise<Touched | undefined> {
  const first = pick(scene.submitted, step.submission);
  if (!first) return undefined;
  const { submission, key, jobId } = first;
  const send = () => submitJob(scene.context, submission, key, scene.now);
  const outcome = await scene.attempt(step.fault, send);
  if (!(outcome instanceof CrashError)) {
    expect(outcome).toMatchObject({ repeated: true, job: { jobId } });
  }
  return { user: submission.owner, places: [placeOfProject(submission.project.name)] };
}

/** After a crash only the table tells whether the first contact was before it. */
export async function learnWelcome({ table, catalog, model }: Scene, user: UserId): Promise<void> {
  const { welcomedOn = [] } = (await readProfile(table, user)) ?? {};
  const systems = catalog.systems.filter(({ name }) => welcomedOn.includes(name));
  if (systems.length > 0) model.welcome(user, welcomeOf({ systems }));
}

/** After a crash only the table tells whether somebody became a member by the group before it. */
async function learnMember(scene: Scene, { owner, project, joins }: Submission): Promise<void> {
  const isMember = joins && (await scene.read(owner, placeOfProject(project.name)));
  if (isMember) scene.model.join(owner, project.name);
}

function accept(
  scene: Scene,
  submission: Submission,
  key: string | undefined,
  outcome: Acceptance | Error,
): void {
  const { owner: user, project, waits } = submission;
  const unawaitable = waits && refuseWaits(scene.model, user, waits);
  if (unawaitable) {
    expect(outcome).toMatchObject({ name: unawaitable });
    return;
  }
  const cost = costOf(submission);
  const unaffordable = scene.model.refuseCost(cost);
  if (unaffordable) {
    expect(outcome).toMatchObject({ name: unaffordable });
    return;
  }
  if (!scene.model.account(user, project.name)) scene.model.welcome(user, welcomeOf(scene.catalog));
  if (submission.joins) scene.model.join(user, project.name);
  const hold = holdOf(submission);
  const { joins } = submission;
  const refusal = scene.model.refuse(user, project.name, hold, {
    jobs: 1,
    most: maxLivingJobs,
    joins,
  });
  if (outcome instanceof Error) {
    expect(outcome.name, outcome.stack).toBe(refusal);
    return;
  }
  expect(refusal).toBeUndefined();
  expect(scene.knows(outcome.job), 'an old job for a new request').toBe(false);
  const job = scene.keep(outcome.job, hold, cost);
  if (waits) job.chain = beginChain(scene.model, waits, scene.now);
  if (key !== undefined) scene.submitted.push({ submission, key, jobId: outcome.job.jobId });
}

/** What a dead submission without a key has left: a job, or nothing. */
async function adoptJob(scene: Scene, submission: Submission): Promise<void> {
  const { owner, project } = submission;
  const { client, name } = scene.table;
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: name,
      KeyConditionExpression: 'PK = :user AND begins_with(SK, :jobs)',
      ExpressionAttributeValues: {
        ':user': `USER#${owner}`,
        ':jobs': `JOB#${project.hpc}#${project.name}#`,
      },
      ConsistentRead: true,
    }),
  );
  for (const job of Items.map(jobFromItem)) {
    if (!scene.knows(job)) accept(scene, submission, undefined, { job, repeated: false });
  }
}
