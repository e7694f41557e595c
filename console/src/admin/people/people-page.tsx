import { useState } from 'preact/hooks';
import type { User } from '#client/src/index.ts';
import { adminAddress } from '../../browser/address.ts';
import { Empty } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';

export function PeoplePage() {
  const [wanted, setWanted] = useState('');
  const pages = usePages('people', (service, signal) => service.listUsers({}, { signal }));
  return (
    <>
      <header class="page-head">
        <h1>People</h1>
        <a class="button main" href={adminAddress.grants}>
          Give a quota
        </a>
      </header>
      <div class="filters">
        <input
          type="search"
          aria-label="Search by number or sign-in"
          placeholder="Search by number or sign-in (/)"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        {wanted !== '' && pages.hasMore && (
          <span class="quiet" role="status">
            Only the people below are searched. Show more to search further.
          </span>
        )}
      </div>
      <ListOf
        pages={pages}
        empty={
          <Empty title="No users yet.">
            Users appear here when they first open their quotas. You can{' '}
            <a href={adminAddress.grants}>give them a quota</a> before that.
          </Empty>
        }
      >
        {(users) => (
          <Table
            rows={users.filter((user) => matches(user, wanted))}
            keyOf={({ user }) => user}
            columns={[
              {
                head: 'User',
                cell: ({ user, subject }) => (
                  <>
                    <a href={adminAddress.person(user)}>{user}</a>{' '}
                    {subject && <span class="quiet">{subject}</span>}
                  </>
                ),
              },
              { head: 'First seen', cell: (user) => <Moment at={user.first_seen} /> },
              {
                head: 'Bans',
                cell: (user) => (
                  <span class={user.banned === null ? 'quiet' : 'warning'}>
                    {describeBans(user)}
                  </span>
                ),
              },
            ]}
            walkable
          />
        )}
      </ListOf>
    </>
  );
}

/** Compares part of the number, the sign-in or the reason of a ban. */
export function matches(user: Pick<User, 'user' | 'subject' | 'banned' | 'bans'>, wanted: string) {
  return `${user.user} ${user.subject ?? ''} ${describeBans(user)}`
    .toLowerCase()
    .includes(wanted.trim().toLowerCase());
}

/** Lists where a user may not submit, and why. Empty if there are no bans. */
export function describeBans({ banned, bans }: Pick<User, 'banned' | 'bans'>): string {
  return [
    ...(banned === null ? [] : [`everywhere: ${banned}`]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join('; ');
}
