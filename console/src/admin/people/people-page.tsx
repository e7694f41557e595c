import type { User } from '#client/src/index.ts';
import { adminAddress } from '../../browser/address.ts';
import { Empty } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';

export function PeoplePage() {
  const pages = usePages('people', (service, signal) => service.listUsers({}, { signal }));
  return (
    <>
      <header class="page-head">
        <h1>People</h1>
        <a class="button main" href={adminAddress.grants}>
          Give a quota
        </a>
      </header>
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
            rows={users}
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

/** Lists where a user may not submit, and why. Empty if there are no bans. */
export function describeBans({ banned, bans }: Pick<User, 'banned' | 'bans'>): string {
  return [
    ...(banned === null ? [] : [`everywhere: ${banned}`]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join('; ');
}
