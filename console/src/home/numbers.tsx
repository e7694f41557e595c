import { describeStage } from '#client/src/format/describe-stage.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, withQuery } from '../address/address-of.ts';
import { endedSince } from './use-home-jobs.ts';

interface NumbersProps {
  readonly jobs: readonly Job[];
  readonly mayHaveMore: { readonly living: boolean; readonly ended: boolean };
  /** When somebody was here before; undefined on a first visit. */
  readonly since: string | undefined;
}

export function Numbers(props: NumbersProps) {
  return (
    <ul class="numbers">
      {countJobs(props).map(({ count, name, state }) => (
        <li key={name} class="number-of">
          <a href={withQuery(addressOf.jobs, { state })}>
            <strong>{count}</strong> {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** `12`, or `1,000+` where there may be more. */
export function countJobs({ jobs, mayHaveMore, since }: NumbersProps) {
  const meanings = jobs.map((job) => describeStage(job).meaning);
  const running = meanings.filter((each) => /^(starting|running|finishing)$/.test(each)).length;
  const waiting = meanings.filter((each) => each === 'waiting').length;
  const write = (count: number, more: boolean) =>
    `${count.toLocaleString('en-US')}${more ? '+' : ''}`;
  return [
    { count: write(running, mayHaveMore.living), name: 'running', state: 'living' },
    { count: write(waiting, mayHaveMore.living), name: 'waiting', state: 'living' },
    ...(since === undefined
      ? []
      : [
          {
            count: write(endedSince(jobs, since).length, mayHaveMore.ended),
            name: 'ended since your last visit',
            state: 'ended',
          },
        ]),
  ];
}
