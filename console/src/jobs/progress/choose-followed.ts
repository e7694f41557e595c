import { describeStage } from '#client/src/format/describe-stage.ts';
import type { Job } from '#client/src/index.ts';

/** So many timelines are asked for: a list is not worth hundreds of requests. */
const most = 20;

/** The jobs whose timeline says how long they have run: what only waits has not, and needs none. */
export function chooseFollowed(seen: readonly Job[]): readonly Job[] {
  return seen
    .filter((job) => !job.terminal_stage && describeStage(job).meaning !== 'waiting')
    .slice(0, most);
}
