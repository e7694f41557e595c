import type { Slipway } from '#client/src/index.ts';
import { ledAddress, systemOf } from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { useLive } from '../../live/use-live.ts';
import { Empty, Loading } from '../../parts/loading.tsx';
import { Budget } from '../../quotas/budget.tsx';
import { placeOf } from '../parts/place-of.ts';
import { phrase } from './words.ts';

/** Lists the projects that the user leads, each with its budget. */
export function LedProjectsPage() {
  const { value, error, refresh } = useLive('led projects', readBudgets);
  return (
    <>
      <h1>{pageNames.projects()}</h1>
      <Loading value={value} error={error} refresh={refresh} rows={3} />
      {value?.length === 0 && (
        <Empty title={phrase('leadNone')}>{phrase('adminsNameLeaders')}</Empty>
      )}
      {value && value.length > 0 && <h2 class="said">{phrase('yourProjects')}</h2>}
      <div class="cards">
        {value?.map((led) => (
          <article key={led.project} class="card">
            <header>
              <h3>
                <a href={ledAddress.project(led)}>{led.project_name}</a>
              </h3>
              <span class="quiet">{systemOf(led)}</span>
            </header>
            <Budget led={led} />
            <p class="line">
              <a href={ledAddress.project(led)}>{phrase('membersAndRequests')}</a>
              <a href={ledAddress.jobs(led)}>{phrase('jobs')}</a>
              <a href={ledAddress.report(led)}>{phrase('usage')}</a>
            </p>
          </article>
        ))}
      </div>
    </>
  );
}

async function readBudgets(service: Slipway, signal: AbortSignal) {
  const projects = await service.listProjects({ led: true }, { signal });
  return Promise.all(projects.map((project) => service.getBudget(placeOf(project), { signal })));
}
