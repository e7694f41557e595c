import { writeDay } from '#client/src/format/day.ts';
import { writeLeft } from '#client/src/format/node-time.ts';
import type { Quota } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { ShareBar } from '../../parts/share-bar.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ListOf, usePages } from '../parts/list-of.tsx';

interface ProjectPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string };
}

/** Who has what in a project. */
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
            Its jobs
          </a>
          <a class="button main" href={withQuery(adminAddress.grants, { place })}>
            Give somebody a quota
          </a>
        </p>
      </header>
      {about.error !== undefined && <ProblemNote error={about.error} onRetry={about.refresh} />}
      <ListOf
        pages={pages}
        empty={
          <Empty title="Nobody has a quota here.">
            <a href={withQuery(adminAddress.grants, { place })}>Give somebody one</a>. What was
            granted just now may come a moment later.
          </Empty>
        }
      >
        {(quotas) => (
          <div class="scrolls">
            <table>
              <thead>
                <tr>
                  <th>User</th>
                  <th>Left</th>
                  <th class="bar">
                    <span class="said">Used, reserved and left</span>
                  </th>
                  <th class="number">Living jobs</th>
                  <th>Until</th>
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
      <td class="bar">
        {usage && (
          <ShareBar
            label={said}
            shares={[
              { kind: 'used', amount: usage.time.used },
              { kind: 'held', amount: usage.time.held },
              { kind: 'left', amount: usage.time.left },
            ]}
          />
        )}
      </td>
      <td class="number">{usage?.living_jobs}</td>
      <td class="one-line">{usage && usage.valid_until !== null && writeDay(usage.valid_until)}</td>
      <td>{usage?.banned}</td>
    </tr>
  );
}
