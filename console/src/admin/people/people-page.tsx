import type { User } from '#client/src/index.ts';
import { adminAddress } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { Empty } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';

export function PeoplePage({ session }: { readonly session: Session }) {
  const pages = usePages('people', (signal) => session.service.listUsers({}, { signal }));
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
          <div class="scrolls">
            <table>
              <thead>
                <tr>
                  <th>User</th>
                  <th>First seen</th>
                  <th>Bans</th>
                </tr>
              </thead>
              <tbody>
                {users.map((user) => (
                  <tr key={user.user} data-row>
                    <td>
                      <a href={adminAddress.person(user.user)}>{user.user}</a>{' '}
                      {user.subject && <span class="quiet">{user.subject}</span>}
                    </td>
                    <td>
                      <Moment at={user.first_seen} />
                    </td>
                    <td class={user.banned === null ? 'quiet' : 'warning'}>{describeBans(user)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
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
