import { useState } from 'preact/hooks';
import { writeDay } from '#client/src/format/times/day.ts';
import { type Account, problems, type User } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { JobRow } from '../../jobs/job-rows.tsx';
import { systemNames } from '../../live/catalog.ts';
import { type Live, useLive } from '../../live/use-live.ts';
import { Button, PlainButton, SystemField, TextField } from '../../parts/form.tsx';
import { Empty, Loading, ProblemNote } from '../../parts/loading.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { ActsTable } from '../parts/acts-table.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { useDraft } from '../parts/quota-fields.tsx';
import { BansOfPerson } from './bans-of-person.tsx';
import { DataOfPerson } from './data-of-person.tsx';
import { QuotasOfPerson } from './quotas-of-person.tsx';
import { phrase, rich } from './words.ts';

/** Shows a user's quotas, jobs, bans and accounts, and what administrators changed or can erase. */
export function PersonPage({ user }: { readonly user: string }) {
  const { value, error, refresh } = usePerson(user);
  const acts = usePages(`acts on ${user}`, (service, signal) =>
    service.readAudit({ user, limit: 20, names: true }, { signal }),
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
            <a href={adminAddress.people}>{pageNames.people()}</a>
          </p>
          <h1>{user}</h1>
          {value && (
            <p class="quiet">{value.seen ? describeSeen(value.seen) : phrase('notSeenYet')}</p>
          )}
        </div>
        <a class="button main" href={withQuery(adminAddress.grants, { user })}>
          {phrase('giveQuota')}
        </a>
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {value?.seen && value.seen.banned !== null && (
        <p class="note warn">{phrase('bannedEverywhere', { reason: value.seen.banned })}</p>
      )}
      {value?.seen?.erased !== undefined && (
        <p class="note">{phrase('erasedOn', { day: writeDay(value.seen.erased) })}</p>
      )}
      <QuotasOfPerson user={user} onChanged={onChanged} />
      <JobsOfPerson user={user} />
      <div class="columns">
        {value && <BansOfPerson user={user} seen={value.seen} onChanged={onChanged} />}
        {/* Erasing removes accounts, so they are read again after it. */}
        <AccountsOfPerson key={`${value?.seen?.erased}`} user={user} onChanged={acts.refresh} />
      </div>
      <section aria-labelledby="acts-title">
        <h2 id="acts-title">{phrase('whatChanged')}</h2>
        <ListOf
          pages={acts}
          empty={<Empty title={phrase('nothingYet')}>{phrase('actsAppear')}</Empty>}
        >
          {(shown) => <ActsTable acts={shown} of={user} />}
        </ListOf>
      </section>
      {value?.seen && <DataOfPerson user={user} onChanged={onChanged} />}
    </>
  );
}

function describeSeen({ name, email, subject, first_seen: first }: User) {
  const when = <Moment at={first} />;
  const called = [...new Set([name, email, subject])].filter((each) => each != null);
  if (called.length === 0) return rich('firstSeenAt', { when });
  return rich('subjectSeenAt', { subject: <bdi>{called.join(', ')}</bdi>, when });
}

interface Person {
  /** Undefined if the user was never seen. They can be granted quotas before that. */
  readonly seen: User | undefined;
}

function usePerson(user: string): Live<Person> {
  return useLive(`person ${user}`, async (service, signal) => {
    try {
      return { seen: await service.getUser({ user_id: user }, { signal }) };
    } catch (error) {
      if (error instanceof problems['user-not-found']) return { seen: undefined };
      throw error;
    }
  });
}

const shown = 5;

function JobsOfPerson({ user }: { readonly user: string }) {
  const { value, error, refresh } = useLive(
    `jobs of ${user}`,
    (service, signal) => service.listAllJobs({ user, order: 'desc', limit: shown }, { signal }),
    { active: (jobs) => jobs.some(({ terminal_stage: ended }) => !ended) },
  );
  return (
    <section aria-labelledby="jobs-title">
      <h2 id="jobs-title">{phrase('jobs')}</h2>
      <Loading value={value} error={error} refresh={refresh} rows={2} />
      {value?.length === 0 && (
        <Empty title={phrase('noJobs')}>{phrase('jobsAppear', { user })}</Empty>
      )}
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
            <a href={withQuery(adminAddress.jobs, { user })}>{phrase('allJobsBy', { user })}</a>
          </p>
        </>
      )}
    </section>
  );
}

interface AccountsOfPersonProps {
  readonly user: string;
  readonly onChanged: () => void;
}

/** Shows the user's own accounts on systems where each job runs as its owner. */
function AccountsOfPerson({ user, onChanged }: AccountsOfPersonProps) {
  const { value, error, refresh } = useLive(`accounts of ${user}`, (service, signal) =>
    service.listAccounts({ user_id: user }, { signal }),
  );
  const [entering, setEntering] = useState(false);
  const [removing, setRemoving] = useState<Account>();
  const changed = () => {
    refresh();
    onChanged();
  };
  return (
    <section aria-labelledby="accounts-title">
      <h2 id="accounts-title">{phrase('accounts')}</h2>
      <Loading value={value} error={error} refresh={refresh} rows={1} />
      {value?.length === 0 && <p class="quiet">{phrase('noAccounts', { user })}</p>}
      {value?.map((account) => (
        <p key={account.hpc} class="line">
          <span>
            {account.hpc}: <code>{account.account}</code>
          </span>
          <PlainButton onClick={() => setRemoving(account)}>
            {phrase('removeAccountAsk')}
          </PlainButton>
        </p>
      ))}
      <p>
        <Button onClick={() => setEntering(true)}>{phrase('addAccountAsk')}</Button>
      </p>
      {entering && (
        <AccountDialog user={user} onDone={changed} onClose={() => setEntering(false)} />
      )}
      {removing && (
        <ActDialog
          title={phrase('removeAccountOn', removing)}
          act={phrase('removeAccount')}
          danger
          onAct={(service, reason) =>
            service.unmapAccount({ user_id: user, hpc: removing.hpc, body: { reason } })
          }
          done={phrase('accountRemoved')}
          onDone={changed}
          onClose={() => setRemoving(undefined)}
        >
          <p>{phrase('removeAccountMeans', { user, hpc: removing.hpc })}</p>
        </ActDialog>
      )}
    </section>
  );
}

function AccountDialog({ user, ...behind }: Behind & { readonly user: string }) {
  const systems = systemNames();
  const [chosen, setChosen] = useState('');
  const { draft, field } = useDraft({ account: '' });
  const account = draft.account.trim();
  const hpc = chosen === '' ? (systems[0] ?? '') : chosen;
  return (
    <ActDialog
      title={phrase('addAccountFor', { user })}
      act={phrase('saveAccount')}
      problems={new Map(account === '' ? [['account', phrase('enterAccount')]] : [])}
      onAct={(service, reason) =>
        service.mapAccount({ user_id: user, hpc, body: { account, reason } })
      }
      done={phrase('accountSaved')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{phrase('addAccountMeans')}</p>
          <div class="fields two">
            <SystemField systems={systems} value={hpc} onValue={setChosen} />
            <TextField
              label={phrase('account')}
              hint={phrase('accountHint')}
              {...field('account', wrong)}
            />
          </div>
        </>
      )}
    </ActDialog>
  );
}
