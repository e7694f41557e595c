import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Job, placeOf } from '#client/src/node/index.ts';
import type { Service } from '#local/start-service.ts';
import { type Errand, errands } from './errands.ts';
import { makeFail } from './make-fail.ts';
import { listSightings, type Sighting } from './sightings.ts';
import type { SteeredJobIds } from './steer-job-ids.ts';
import type { StoppedClock } from './stop-clock.ts';
import { now, type Scene, story } from './story.ts';

/** A job of the story, as submitted. */
export interface Played {
  readonly scene: Scene;
  readonly job: Job;
}

interface Stage {
  readonly service: Service;
  readonly clock: StoppedClock;
  readonly jobIds: SteeredJobIds;
}

/** Sweeps run twice a second in real time. After this long, only moving the clock helps. */
const patienceMs = 2000;
const nudgeMs = 30_000;
const mostNudges = 10;
const folder = 'docs/examples/my-study';

/** Plays the month in under a minute, because the clock leaps from event to event. */
export async function playStory(stage: Stage): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const moment of listMoments()) {
    stage.clock.goTo(moment);
    await submitAt(stage, moment, played);
    for (const { by, run } of errands.filter(({ at }) => isAt(at, moment))) {
      await run(clientOf(stage, by));
    }
    for (const each of played) await goOnAt(stage, moment, each);
  }
  stage.clock.goTo(now.getTime());
  return played;
}

async function submitAt(stage: Stage, moment: number, played: Played[]): Promise<void> {
  for (const scene of story.filter(({ at }) => isAt(at, moment))) {
    stage.jobIds.begin(`${scene.at} ${scene.title}`);
    played.push({ scene, job: await submit(stage, scene) });
  }
}

async function goOnAt(stage: Stage, moment: number, each: Played): Promise<void> {
  const { scene, job } = each;
  if (isAt(scene.cancelledAt, moment)) await clientOf(stage, scene).deleteJob(placeOf(job));
  for (const sighting of listSightings(scene)) {
    if (sighting.at === moment) await see(stage, each, sighting);
  }
}

function listMoments(): number[] {
  const moments = story.flatMap((scene) => [
    Date.parse(scene.at),
    ...(scene.cancelledAt === undefined ? [] : [Date.parse(scene.cancelledAt)]),
    ...listSightings(scene).map(({ at }) => at),
  ]);
  const all = new Set([...moments, ...errands.map(({ at }) => Date.parse(at))]);
  return [...all].filter((moment) => moment < now.getTime()).sort((a, b) => a - b);
}

function isAt(text: string | undefined, moment: number): boolean {
  return text !== undefined && Date.parse(text) === moment;
}

function clientOf({ service }: Stage, who: Errand['by']) {
  return createClient({ baseUrl: service.url, token: () => service.issuer.issueToken(who) });
}

async function submit(stage: Stage, scene: Scene): Promise<Job> {
  const { hpc, project, program, title, nodes, hours: runtime } = scene;
  const what = hpc === 'hpc_one' ? { command: program } : { tool: program };
  const client = clientOf(stage, scene);
  const place = { hpc, project };
  const job = await client.submit({ ...place, ...what, nodes, cores: 24, runtime, title, folder });
  // The clock must not leap before the system has the job.
  await until(stage, `${title} is handed over`, async () => {
    const { tries } = await client.getTimeline(placeOf(job));
    return tries.some(({ accepted }) => accepted);
  });
  if (scene.fails) await makeFail(job);
  return job;
}

async function see(stage: Stage, { scene, job }: Played, sighting: Sighting): Promise<void> {
  const client = clientOf(stage, scene);
  await until(stage, `${job.title} is ${sighting.stage}`, async () => {
    const { stage: seen } = await client.getJob(placeOf(job));
    return seen === sighting.stage;
  });
}

/** Waits, and moves the clock now and then, because a system is checked once a minute. */
async function until({ clock }: Stage, what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let nudges = 0; nudges <= mostNudges; nudges += 1) {
    const began = performance.now();
    while (performance.now() - began < patienceMs) {
      if (await holds()) return;
      await sleep(30);
    }
    clock.goTo(Date.now() + nudgeMs);
  }
  throw new Error(`This never happened: ${what}.`);
}
