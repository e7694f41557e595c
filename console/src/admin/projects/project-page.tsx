import { writeDay } from '#client/src/format/day.ts';
import { writeLeft } from '#client/src/format/node-time.ts';
import type { Quota } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/loading.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { TimeBar } from '../../parts/share-bar.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ListOf, usePages } from '../parts/list-of.tsx';

interface ProjectPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string };
}

/** Lists the quotas of a project. */
export function ProjectPage({
  session: { service },
  session,
  at: { hpc, project },
}: ProjectPageProps) {
  const charging = chargingOf(useCatalog(session), hpc.toUpperCase());
  const about = useLive(`project ${hpc} ${project}`, (signal) =>
    service.getProject({ hpc, project_name: project }, { signal }),
  );
  const pages = usePages(`quotas in ${hpc} ${project}`, (signal) =>
    service.listAllQuotas({ hpc, project, expand: 'usage' }, { signal }),
  );
  const place = `${hpc}/${project}`;
  return (
    <>
      <header class="page-head">
        <div>
          <p class="quiet">
            <a href={adminAddress.projects}>Projects</a> · {hpc}
          </p>
          <h1>{project}</h1>
          <p class="quiet">
            {about.value?.closed && <span class="state declined">closed </span>}
            {about.value?.description}
          </p>
        </div>
        <p class="line">
          <a class="button" href={withQuery(adminAddress.jobs, { hpc, project })}>
            Show jobs
          </a>
          <a class="button main" href={withQuery(adminAddress.grants, { place })}>
            Give a quota
          </a>
        </p>
      </header>
      {about.error !== undefined && <ProblemNote error={about.error} onRetry={about.refresh} />}
      <ListOf
        pages={pages}
        empty={
          <Empty title="Nobody has a quota here.">
            <a href={withQuery(adminAddress.grants, { place })}>Give a quota</a>. New quotas can
            take a moment to appear.
          </Empty>
        }
      >
        {(quotas) => (
          <div class="scrolls">
            <table>
              <thead>
                <tr>
                  <th>User</th>
                  <th>Remaining</th>
                  <th class="bar">
                    <span class="said">Used, reserved and remaining</span>
                  </th>
                  <th class="number">Active jobs</th>
                  <th>Ends</th>
                  <th>Ban</th>
                </tr>
              </thead>
              <tbody>
                {quotas.map((quota) => (
                  <QuotaRow key={quota.id} quota={quota} said={describeTime(quota, charging)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </ListOf>
    </>
  );
}

function QuotaRow({ quota, said }: { readonly quota: Quota; readonly said: string }) {
  const { user, usage } = quota;
  return (
    <tr data-row>
      <td>
        <a href={adminAddress.person(user)}>{user}</a>
      </td>
      <td class="one-line" title={said}>
        {usage ? writeLeft(usage.time.left, usage.time.granted) : said}
      </td>
      <td class="bar">{usage && <TimeBar label={said} time={usage.time} />}</td>
      <td class="number">{usage?.living_jobs}</td>
      <td class="one-line">{usage && usage.valid_until !== null && writeDay(usage.valid_until)}</td>
      <td>{usage?.banned}</td>
    </tr>
  );
}
