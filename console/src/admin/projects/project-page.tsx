import { writeLeft } from '#client/src/format/amounts.ts';
import { writeDay } from '#client/src/format/day.ts';
import type { Quota } from '#client/src/index.ts';
import { adminAddress, type ProjectPlace, withQuery } from '../../browser/address.ts';
import { chargingOf } from '../../live/catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { Empty, ProblemNote } from '../../parts/loading.tsx';
import { TimeBar } from '../../parts/share-bar.tsx';
import { Table } from '../../parts/table.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ListOf, usePages } from '../parts/list-of.tsx';

/** Lists the quotas of a project. */
export function ProjectPage({ at: { hpc, project } }: { readonly at: ProjectPlace }) {
  const about = useLive(`project ${hpc} ${project}`, (service, signal) =>
    service.getProject({ hpc, project_name: project }, { signal }),
  );
  const pages = usePages(`quotas in ${hpc} ${project}`, (service, signal) =>
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
        {(quotas) => <QuotasTable quotas={quotas} />}
      </ListOf>
    </>
  );
}

function QuotasTable({ quotas }: { readonly quotas: readonly Quota[] }) {
  const say = (quota: Quota) => describeTime(quota, chargingOf(quota.project_hpc));
  return (
    <Table
      rows={quotas}
      keyOf={({ id }) => id}
      columns={[
        { head: 'User', cell: ({ user }) => <a href={adminAddress.person(user)}>{user}</a> },
        {
          head: 'Remaining',
          cell: (quota) =>
            quota.usage ? writeLeft(quota.usage.time.left, quota.usage.time.granted) : say(quota),
          title: say,
          class: 'one-line',
        },
        {
          head: <span class="said">Used, reserved and remaining</span>,
          cell: (quota) => quota.usage && <TimeBar label={say(quota)} time={quota.usage.time} />,
          class: 'bar',
        },
        { head: 'Active jobs', cell: ({ usage }) => usage?.living_jobs, class: 'number' },
        {
          head: 'Ends',
          cell: ({ usage }) => usage?.valid_until && writeDay(usage.valid_until),
          class: 'one-line',
        },
        { head: 'Ban', cell: ({ usage }) => usage?.banned },
      ]}
      walkable
    />
  );
}
