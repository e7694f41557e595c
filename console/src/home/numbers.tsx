import { describeStage } from '#client/src/format/describe-stage.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, withQuery } from '../address/address-of.ts';
import { endedSince } from './ended-since.ts';

export function Numbers({
  jobs,
  since,
}: {
  readonly jobs: readonly Job[];
  readonly since: string;
}) {
  const meanings = jobs.map((job) => describeStage(job).meaning);
  const running = meanings.filter((each) => /^(starting|running|finishing)$/.test(each)).length;
  const waiting = meanings.filter((each) => each === 'waiting').length;
  const ended = endedSince(jobs, since).length;
  const numbers = [
    { count: running, name: 'running', state: 'living' },
    { count: waiting, name: 'waiting', state: 'living' },
    { count: ended, name: 'ended since your last visit', state: 'ended' },
  ];
  return (
    <ul class="numbers">
      {numbers.map(({ count, name, state }) => (
        <li key={name} class="number-of">
          <a href={withQuery(addressOf.jobs, { state })}>
            <strong>{count}</strong> {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
