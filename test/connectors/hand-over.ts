import type { Stage } from './stage.ts';
import type { Order, StagedJob } from './staged-system.ts';

/** No hand-over takes more calls. */
const mostCalls = 20;

/**
 * Hands over one job after another. Of the first, the answer to the first call of its hand-over is
 * lost, of the second that to the second call, and so on. Of the last, nothing was lost. The sweeps
 * go on afterwards, unless `before` does something first.
 */
export async function handOverWithout(
  stage: Stage,
  order: Order,
  before: (job: StagedJob) => Promise<unknown> = async () => undefined,
): Promise<StagedJob[]> {
  const jobs: StagedJob[] = [];
  const { sweeps, faults } = stage;
  for (let at = 1; at <= mostCalls; at += 1) {
    await sweeps.pause();
    const job = await stage.submit(order);
    jobs.push(job);
    const calls = faults.calls.length;
    faults.loseAnswer(at);
    await stage.handOver(job);
    faults.loseAnswer(0);
    const isOver = faults.calls.length - calls < at;
    await before(job);
    if (isOver) break;
  }
  sweeps.resume();
  return jobs;
}
