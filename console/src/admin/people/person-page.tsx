import { problems, type User } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { useCatalog } from '../../connection/use-catalog.ts';
import { JobRow } from '../../jobs/job-rows.tsx';
import { type Live, useLive } from '../../live/use-live.ts';
import { Empty, Waiting } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { ActsTable } from '../parts/acts-table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { AccountsOfPerson } from './accounts-of-person.tsx';
import { BansOfPerson } from './bans-of-person.tsx';
import { QuotasOfPerson } from './quotas-of-person.tsx';

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

interface Person {
  /** Nothing where nobody of that number was seen yet: they can be granted to all the same. */
  readonly seen: User | undefined;
}

function usePerson({ service }: Session, user: string): Live<Person> {
  return useLive(`person ${user}`, async (signal) => {
    try {
      return { seen: await service.getUser({ user_id: user }, { signal }) };
    } catch (error) {
      if (error instanceof problems['user-not-found']) return { seen: undefined };
      throw error;
    }
  });
}

const shown = 5;

interface JobsOfPersonProps {
  readonly session: Session;
  readonly user: string;
}

function JobsOfPerson({ session: { service }, user }: JobsOfPersonProps) {
  const { value, error, refresh } = useLive(
    `jobs of ${user}`,
    (signal) => service.listAllJobs({ user, order: 'desc', limit: shown }, { signal }),
    { living: (jobs) => jobs.some(({ terminal_stage: ended }) => !ended) },
  );
  return (
    <section aria-labelledby="jobs-title">
      <h2 id="jobs-title">Jobs</h2>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {!value && error === undefined && <Waiting rows={2} />}
      {value?.length === 0 && <Empty title="No jobs yet.">What {user} submits stands here.</Empty>}
      {value && value.length > 0 && (
        <>
          <ul class="rows">
            {value.map((job) => (
              <li key={job.job_id} data-row>
                <JobRow job={job} address={adminAddress.job(job)} />
              </li>
            ))}
          </ul>
          <p>
            <a href={withQuery(adminAddress.jobs, { user })}>All jobs of {user}</a>
          </p>
        </>
      )}
    </section>
  );
}
