import { useState } from 'preact/hooks';
import { writeNodeTime } from '#client/src/format/amounts/amounts.ts';
import type { User } from '#client/src/index.ts';
import { adminAddress, query, withQuery } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { chargingOf } from '../../live/catalog.ts';
import { Empty } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { Table } from '../../parts/table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { useFound } from '../parts/use-found.ts';
import { UserName } from '../parts/user-name.tsx';
import { phrase, rich } from './words.ts';

export function PeoplePage() {
  const [wanted, setWanted] = useState('');
  const sorting = readSorting(query.value.get('sort') ?? '');
  const sortable = (by: Order, words: string) => ({
    head: <SortHead by={by} words={words} sorting={sorting} />,
    label: words,
  });
  const pages = usePages('people', (service, signal) =>
    service.listUsers({ expand: 'activity' }, { signal }),
  );
  const found = useFound(wanted, pages.hasMore, (service, search, signal) =>
    service.listUsers({ search, expand: 'activity' }, { signal }),
  );
  return (
    <>
      <header class="page-head">
        <h1>{pageNames.people()}</h1>
        <a class="button main" href={adminAddress.grants}>
          {phrase('giveQuota')}
        </a>
      </header>
      <div class="filters">
        <SearchField label={phrase('search')} value={wanted} onValue={setWanted} />
        {(wanted !== '' || sorting.by !== 'user') && pages.hasMore && !found && (
          <span class="quiet" role="status">
            {phrase('onlyThese')}
          </span>
        )}
      </div>
      <ListOf
        pages={pages}
        empty={
          <Empty title={phrase('noUsers')}>
            {rich('usersAppear', {
              give: <a href={adminAddress.grants}>{phrase('giveThemQuota')}</a>,
            })}
          </Empty>
        }
      >
        {(users) => (
          <Table
            folds
            rows={sortPeople(joinPeople(users, found), sorting).filter(
              (user) => found?.includes(user) || matches(user, wanted),
            )}
            keyOf={({ user }) => user}
            columns={[
              {
                ...sortable('user', phrase('user')),
                cell: ({ user, name, subject }) => (
                  <>
                    <a href={adminAddress.person(user)}>{user}</a>
                    <UserName name={name} />{' '}
                    {subject && subject !== name && <span class="quiet">{subject}</span>}
                  </>
                ),
              },
              {
                ...sortable('seen', phrase('firstSeen')),
                cell: (user) => <Moment at={user.first_seen} />,
              },
              {
                ...sortable('last', phrase('lastJob')),
                cell: ({ activity }) =>
                  activity?.last_submission && <Moment at={activity.last_submission} />,
              },
              {
                ...sortable('used', phrase('usedIn30Days')),
                cell: ({ activity }) =>
                  activity &&
                  activity.jobs_ended > 0 &&
                  writeNodeTime(activity.time_used, chargingOf()),
                title: ({ activity }) =>
                  activity ? phrase('jobsEnded', { count: activity.jobs_ended }) : '',
                class: 'number',
              },
              {
                head: phrase('bans'),
                cell: (user) => {
                  const bans = describeBans(user);
                  const strength = user.banned === null ? 'quiet' : 'warning';
                  return bans !== '' && <span class={strength}>{bans}</span>;
                },
              },
            ]}
            walkable
          />
        )}
      </ListOf>
    </>
  );
}

/** Adds people whom the service has found. */
function joinPeople(users: readonly User[], found: readonly User[] = []): readonly User[] {
  const others = users.filter(({ user }) => found.every((each) => each.user !== user));
  return [...found, ...others];
}

/** Compares part of the number, the name, the address, the sign-in or the reason of a ban. */
export function matches(
  user: Pick<User, 'user' | 'name' | 'email' | 'subject' | 'banned' | 'bans'>,
  wanted: string,
) {
  const { name = '', email = '', subject } = user;
  return `${user.user} ${name} ${email} ${subject ?? ''} ${describeBans(user)}`
    .toLowerCase()
    .includes(wanted.trim().toLowerCase());
}

/** Lists where a user may not submit, and why. Empty if there are no bans. */
export function describeBans({ banned, bans }: Pick<User, 'banned' | 'bans'>): string {
  return [
    ...(banned === null ? [] : [phrase('everywhere', { reason: banned })]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join('; ');
}

const orders = ['user', 'seen', 'last', 'used'] as const;

type Order = (typeof orders)[number];

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
function SortHead({ by, words, sorting }: SortHeadProps) {
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
