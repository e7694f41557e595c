import { withQuery } from '../../address/address-of.ts';
import { adminAddress } from '../../address/admin-address.ts';
import type { Session } from '../../connection/session.ts';
import { useCatalog } from '../../connection/use-catalog.ts';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { ActsTable } from '../audit/acts-table.tsx';
import { ListOf } from '../list/list-of.tsx';
import { usePages } from '../list/use-pages.ts';
import { AccountsOfPerson } from './accounts/accounts-of-person.tsx';
import { BansOfPerson } from './bans/bans-of-person.tsx';
import { JobsOfPerson } from './jobs-of-person.tsx';
import { QuotasOfPerson } from './quotas/quotas-of-person.tsx';
import { usePerson } from './use-person.ts';

interface PersonPageProps {
  readonly session: Session;
  readonly user: string;
}

/** All about one person: what they have, what they run, and what was done to them. */
export function PersonPage({ session, user }: PersonPageProps) {
  const catalog = useCatalog(session);
  const { value, error, refresh } = usePerson(session, user);
  const acts = usePages(`acts on ${user}`, (signal) =>
    session.service.readAudit({ user, limit: 20 }, { signal }),
  );
  const onChanged = () => {
    refresh();
    acts.refresh();
  };
  return (
    <>
      <header class="page-head">
        <div>
          <p class="quiet">
            <a href={adminAddress.people}>People</a>
          </p>
          <h1>{user}</h1>
          {value && (
            <p class="quiet">
              {value.seen ? (
                <>
                  {value.seen.subject && `${value.seen.subject}, `}first seen{' '}
                  <Moment at={value.seen.first_seen} />
                </>
              ) : (
                'Not seen yet. What you grant, ban or enter now holds when they come.'
              )}
            </p>
          )}
        </div>
        <a class="button main" href={withQuery(adminAddress.grants, { user })}>
          Give a quota
        </a>
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {value?.seen && value.seen.banned !== null && (
        <p class="note warn">Banned everywhere: {value.seen.banned}</p>
      )}
      <QuotasOfPerson session={session} user={user} catalog={catalog} onChanged={onChanged} />
      <JobsOfPerson session={session} user={user} />
      <div class="columns">
        {value && (
          <BansOfPerson session={session} user={user} seen={value.seen} onChanged={onChanged} />
        )}
        <AccountsOfPerson
          session={session}
          user={user}
          catalog={catalog}
          onChanged={acts.refresh}
        />
      </div>
      <section aria-labelledby="acts-title">
        <h2 id="acts-title">What was done to {user}</h2>
        <ListOf
          pages={acts}
          empty={<Empty title="Nothing yet.">Grants, bans and all other acts stand here.</Empty>}
        >
          {(shown) => <ActsTable acts={shown} catalog={catalog} of={user} />}
        </ListOf>
      </section>
    </>
  );
}
