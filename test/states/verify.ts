import { countEnded, countPending } from '#lib/batches/batch.ts';
import { isDiscarded } from '#lib/jobs/job.ts';
import type { State } from './explore.ts';
import { type Found, ranSeconds, type Scenario } from './scene.ts';

/** Throws if a state breaks a rule. */
export function verify(scenario: Scenario, found: Found, { answers }: State, isEnd: boolean): void {
  if (!verified.has(found)) {
    verifyAccount(found);
    verifyJobs(found);
    verified.add(found);
  }
  verifyAnswers(found, answers);
  if (isEnd) verifyEnd(found, scenario);
}

/** Many states have the same world. */
const verified = new WeakSet<Found>();

function rule(isKept: boolean, text: string): void {
  if (!isKept) throw new Error(text);
}

/** Held is what jobs hold, and nothing is ever below zero or above what was granted. */
function verifyAccount({ quotas, jobs, batches, lines }: Found): void {
  const [quota] = quotas;
  if (!quota) throw new Error('The account is gone.');
  const unsettled = jobs.filter(({ terminal, awaitsSettlement }) => !terminal || awaitsSettlement);
  const pending = batches.map((batch) => ({ count: countPending(batch), batch }));
  const active = unsettled.length + pending.reduce((sum, { count }) => sum + count, 0);
  rule(quota.activeJobs === active, `${quota.activeJobs} jobs are counted, ${active} are active.`);
  const time =
    unsettled.reduce((sum, { hold }) => sum + hold.seconds, 0) +
    pending.reduce((sum, { count, batch }) => sum + count * batch.jobSeconds, 0);
  rule(quota.time.held === time, `${quota.time.held} seconds are held, jobs hold ${time}.`);
  const keeping = jobs.filter((job) => job.awaitsSettlement || !isDiscarded(job));
  const space = keeping.reduce((sum, { hold }) => sum + hold.kilobytes, 0);
  rule(quota.space.held === space, `${quota.space.held} kB are held, jobs hold ${space}.`);
  for (const { granted, left, held, used } of [quota.time, quota.space]) {
    rule(Math.min(left, held, used) >= 0, 'A balance is below zero.');
    rule(left + held + used === granted, 'The balance does not add up to what was granted.');
  }
  const written = lines.reduce((sum, { seconds }) => sum + seconds, 0);
  rule(written === quota.time.left, `The ledger says ${written}, and ${quota.time.left} is left.`);
  const usedLines = lines.reduce((sum, { used }) => sum + used, 0);
  rule(usedLines === quota.time.used, 'The ledger has other used seconds than the account.');
}

/** One job for each that was asked for, run once at most, and settled once at most. */
function verifyJobs({ jobs, batches, lines, system }: Found): void {
  const alone = jobs.filter(({ batch }) => !batch);
  rule(alone.length <= 1, 'The job was accepted twice.');
  rule(batches.length <= 1, 'The batch was accepted twice.');
  const places = jobs.flatMap(({ batch }) => batch?.index ?? []);
  rule(new Set(places).size === places.length, 'A job of the batch was created twice.');
  rule(
    jobs.length - alone.length === (batches[0]?.unfolded ?? 0),
    'A job of the batch is missing.',
  );
  const numbers = jobs.map(({ id }) => id);
  rule(new Set(numbers).size === numbers.length, 'Two jobs have the same number.');
  for (const { jobId, terminal, awaitsSettlement } of jobs) {
    rule((system.get(jobId)?.runs ?? 0) <= 1, 'A job was handed over twice.');
    const settled = lines.filter((line) => line.kind === 'settle' && line.jobId === jobId).length;
    const expected = terminal && !awaitsSettlement ? 1 : 0;
    rule(settled === expected, `A job was settled ${settled} times, not ${expected}.`);
  }
  for (const batch of batches) {
    const ended = jobs.filter((job) => job.batch && job.terminal).length;
    rule(countEnded(batch) === ended, `The batch counts ${countEnded(batch)} ends of ${ended}.`);
  }
}

/** Whoever was told that a job was accepted has one, and whoever was refused has none. */
function verifyAnswers({ jobs, batches }: Found, answers: State['answers']): void {
  const job = jobs.find(({ batch }) => !batch);
  const [batch] = batches;
  for (const { answer, id } of [
    { answer: answers.job, id: job?.jobId },
    { answer: answers.batch, id: batch?.id },
  ]) {
    if (answer === undefined) continue;
    if (Error.isError(answer)) {
      rule(answer.name === 'QuotaExceededError', `Refused: ${answer.stack}`);
      rule(id === undefined, 'A refused request was accepted.');
    } else rule(answer === id, `The client was told ${answer}, and there is ${id}.`);
  }
}

/** Once nothing is left to do, every job has ended, and is charged what it ran, or nothing. */
function verifyEnd({ quotas, jobs, batches, lines, system }: Found, { handsOver }: Scenario): void {
  rule(quotas[0]?.time.held === 0, 'Time is still held.');
  rule(quotas[0]?.activeJobs === 0, 'A job is still counted.');
  rule(
    batches.every((batch) => countPending(batch) === 0),
    'A job was not created.',
  );
  for (const job of jobs) {
    rule(job.terminal, 'A job has not ended.');
    const isCancelled = lines.some(
      ({ jobId, end }) => jobId === job.jobId && end?.outcome === 'cancelled',
    );
    const hasRun = handsOver ? system.get(job.jobId)?.runs === 1 : !isCancelled;
    rule(hasRun || isCancelled, 'A job never ran.');
    const { used = 0 } =
      lines.find(({ jobId, kind }) => jobId === job.jobId && kind === 'settle') ?? {};
    rule(used === 0 || (hasRun && used === ranSeconds), `A job is charged ${used} seconds.`);
    rule(isCancelled || used === ranSeconds, 'A job that ran is not charged.');
  }
}
