import { useState } from 'preact/hooks';
import { term } from '#client/src/words/terms.ts';
import {
  accountAt,
  adminAddress,
  ledAddress,
  type ProjectPlace,
  withQuery,
} from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { useSession } from '../../connection/session.ts';
import { useLive } from '../../live/use-live.ts';
import { Loading, ProblemNote } from '../../parts/loading.tsx';
import { ProjectTrail } from '../parts/project-trail.tsx';
import { useLinks } from '../parts/use-links.ts';
import { RequestsList } from '../requests/requests-list.tsx';
import { BudgetSection } from './budget-section.tsx';
import { MembersSection } from './members-section.tsx';
import { phrase } from './words.ts';

/** Shows a project to its leaders and to administrators: budget, requests and members. */
export function ProjectPage({ at }: { readonly at: ProjectPlace }) {
  const { hpc, project } = at;
  const { administrator } = useSession();
  const links = useLinks();
  const where = { hpc, project_name: project };
  const about = useLive(`project ${hpc} ${project}`, (service, signal) =>
    service.getProject(where, { signal }),
  );
  const led = useLive(`budget of ${hpc} ${project}`, (service, signal) =>
    service.getBudget({ ...where, names: true }, { signal }),
  );
  const { value } = about;
  // Requests and members change the budget, and a decision changes the members.
  const [round, setRound] = useState(0);
  const refresh = () => {
    led.refresh();
    setRound((before) => before + 1);
  };
  return (
    <>
      <header class="page-head">
        <div>
          <ProjectTrail at={at} here />
          <h1>{project}</h1>
          <p class="quiet">
            {value?.closed && <span class="state declined">{term('closed')} </span>}
            {value?.description}
          </p>
        </div>
        {led.value && (
          <p class="line">
            <a class="button" href={links.jobs(accountAt(at))}>
              {phrase('showJobs')}
            </a>
            <a class="button" href={links.report(accountAt(at))}>
              {phrase('showUsage')}
            </a>
            <a class="button" href={ledAddress.statement(accountAt(at))}>
              {phrase('statement')}
            </a>
            {administrator && (
              <a
                class="button"
                href={withQuery(adminAddress.grants, { place: `${hpc}/${project}` })}
              >
                {phrase('giveQuota')}
              </a>
            )}
          </p>
        )}
      </header>
      {about.error !== undefined && <ProblemNote error={about.error} onRetry={about.refresh} />}
      <Loading value={led.value} error={led.error} refresh={led.refresh} rows={2} />
      {led.value && (
        <>
          <BudgetSection led={led.value} project={value} onChanged={refresh} />
          <section aria-labelledby="requests-title">
            <h2 id="requests-title">{pageNames.requests()}</h2>
            <RequestsList
              state="open"
              at={at}
              empty={<p class="quiet">{phrase('noRequests')}</p>}
              onDecided={refresh}
            />
          </section>
          <MembersSection at={at} round={round} budget={led.value.budget} onChanged={led.refresh} />
        </>
      )}
    </>
  );
}
