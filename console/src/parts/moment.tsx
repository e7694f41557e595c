import { writeMoment } from '#client/src/format/times/day.ts';
import { writeAge } from '#client/src/format/times/write-age.ts';
import { clock } from '../live/clock.ts';

/** Shows how long ago it was, or the day, and on hover the exact time in the reader's zone and in UTC. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`${writeMoment(at)} · ${at.replace('T', ' ').replace('Z', ' UTC')}`}>
      {writeAge(at, clock.value)}
    </time>
  );
}
