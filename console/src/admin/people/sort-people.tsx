import type { User } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../../browser/address.ts';
import { phrase } from './words.ts';

const orders = ['user', 'seen', 'last', 'used'] as const;

export type Order = (typeof orders)[number];

interface Sorting {
  readonly by: Order;
  readonly descending: boolean;
}

/** Reads `used` or `-used` from an address. By number is the order of the service. */
export function readSorting(text: string): Sorting {
  const by = orders.find((order) => order === text.replace(/^-/, ''));
  return by === undefined
    ? { by: 'user', descending: false }
    : { by, descending: text.startsWith('-') };
}

/** Sorts people. Whoever has no value for it comes last, whichever way the others are sorted. */
export function sortPeople(people: readonly User[], { by, descending }: Sorting): readonly User[] {
  if (by === 'user') return descending ? people.toReversed() : people;
  const sign = descending ? -1 : 1;
  return people.toSorted((one, other) => {
    const [first, second] = [measure(one, by), measure(other, by)];
    if (first === undefined || second === undefined) {
      return Number(first === undefined) - Number(second === undefined);
    }
    return sign * (first - second);
  });
}

function measure({ first_seen: seen, activity }: User, by: Exclude<Order, 'user'>) {
  switch (by) {
    case 'seen':
      return Date.parse(seen);
    case 'last':
      return activity?.last_submission ? Date.parse(activity.last_submission) : undefined;
    case 'used':
      return activity && activity.jobs_ended > 0 ? activity.time_used : undefined;
  }
}

interface SortHeadProps {
  readonly by: Order;
  readonly words: string;
  readonly sorting: Sorting;
}

/** Shows a heading that sorts. It is a link, so that an order can be shared. */
export function SortHead({ by, words, sorting }: SortHeadProps) {
  const isCurrent = sorting.by === by;
  // The most and the latest are what people look for first.
  const descending = isCurrent ? !sorting.descending : by !== 'user';
  return (
    <a
      href={withQuery(adminAddress.people, { sort: `${descending ? '-' : ''}${by}` })}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {words}
      {isCurrent && (
        <>
          <span aria-hidden="true"> {sorting.descending ? '↓' : '↑'}</span>
          <span class="said">
            {sorting.descending ? phrase('descending') : phrase('ascending')}
          </span>
        </>
      )}
    </a>
  );
}
