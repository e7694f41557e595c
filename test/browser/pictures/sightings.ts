import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { observeCourse, plotCourse } from '#lib/hpc/simulator/simulated-job.ts';
import { wordToFail } from './make-fail.ts';
import { now, type Scene } from './story.ts';

/** A stage of a job, and when the service sees it. */
export interface Sighting {
  readonly at: number;
  readonly stage: string;
}

const { systems } = readCatalog();
const hourSeconds = 3600;
/** Half of the minute that a job spends in every stage but running. */
const lateMs = 30_000;
const dayMs = 86_400_000;

/** Lists the stages of a job. Old jobs have only those that reports need. */
export function listSightings(scene: Scene): readonly Sighting[] {
  const system = systems.find(({ name }) => name === scene.hpc);
  if (!system) throw new Error(`Unknown system '${scene.hpc}'.`);
  const words = system.stages;
  const title = scene.fails ? wordToFail : scene.title;
  const job = { acceptedAt: new Date(scene.at), hours: scene.hours, title };
  const course = plotCourse(words, job, hourSeconds);
  const gone = Date.parse(scene.cancelledAt ?? '9999-01-01');
  const sightings = course.stages
    .map(({ until }) => until.getTime() + lateMs)
    .filter((at) => at < gone)
    .flatMap((at) => {
      const seen = observeCourse(words, course, new Date(at));
      return seen.state === 'unknown' ? [] : [{ at, stage: seen.stage }];
    });
  const isOld = course.endsAt.getTime() < now.getTime() - dayMs;
  const [running, end] = [words.running, sightings.at(-1)];
  return isOld ? sightings.filter((each) => each.stage === running || each === end) : sightings;
}
