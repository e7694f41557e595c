import { useEffect } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import {
  accountAt,
  adminAddress,
  ledAddress,
  type ProjectPlace,
  query,
  withQuery,
} from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { countJobs } from '../job/discard-jobs.ts';
import { askFor, FilterBar, readFilters, writeFilters } from '../jobs/filter-bar.tsx';
import { JobRow, JobRows } from '../jobs/job-rows.tsx';
import { ListHead } from '../jobs/list-head.tsx';
import { isUsual, readSorting, sortJobs } from '../jobs/sort-jobs.ts';
import { useJobs } from '../jobs/use-jobs.ts';
import { stageOf } from '../live/catalog.ts';
import { Empty, Loading } from '../parts/loading.tsx';
import { ProjectTrail } from './parts/project-trail.tsx';
import { useLinks } from './parts/use-links.ts';
import { phrase, rich } from './words.ts';

/** As many jobs as a list scrolls quickly. */
const mostSorted = 10_000;

interface AllJobsPageProps {
  /** The project whose jobs are listed. Without it, all jobs. */
  readonly at?: ProjectPlace;
}

/** Lists everybody's jobs or one user's, with the filters of a researcher's own list. */
export function AllJobsPage({ at }: AllJobsPageProps) {
  const links = useLinks();
  const filters = { ...readFilters(query.value), ...(at && { hpc: '', project: '' }) };
  const user = query.value.get('user') ?? '';
  const { jobs, error, mayHaveMore, loadMore, refresh } = useJobs(useService().listAllJobs, {
    ...askFor({ ...filters, ...at }),
    ...(/^\d+$/.test(user) && { user }),
    names: true,
  });
  const sorting = readSorting(filters.sort);
  const rows = sortJobs(jobs ?? [], sorting, stageOf.value);
  const counted = countJobs(rows.length, mayHaveMore);
  // The service lists by age alone. Everybody's jobs may be too many to read them all.
  const readsOn = !isUsual(sorting) && mayHaveMore && rows.length < mostSorted;
  useEffect(() => {
    if (readsOn) loadMore();
  }, [readsOn, rows.length]);
  const list = at ? ledAddress.jobs(accountAt(at)) : adminAddress.jobs;
  return (
    <>
      <header>
        {at && <ProjectTrail at={at} />}
        <h1>{describeList(user, at)}</h1>
      </header>
      <FilterBar filters={filters} list={list} also={{ user }} placed={at !== undefined} />
      {user !== '' && (
        <p class="line">
          <a href={at ? links.person(user, accountAt(at)) : adminAddress.person(user)}>
            {phrase('about', { user })}
          </a>
          <a href={withQuery(list, writeFilters(filters))}>{phrase('jobsOfAll')}</a>
        </p>
      )}
      <Loading value={jobs} error={error} refresh={refresh} rows={8} />
      {jobs?.length === 0 &&
        (withQuery(list, { user, ...writeFilters(filters), sort: '' }) === list ? (
          <Empty title={phrase('noJobsYet')}>{phrase('noJobsYetMeans')}</Empty>
        ) : (
          <Empty title={phrase('noJobsMatch')}>
            {rich('removeFilterOfJobs', { all: <a href={list}>{phrase('seeAllJobs')}</a> })}
          </Empty>
        ))}
      {jobs !== undefined && jobs.length > 0 && (
        <div class="list">
          <p class="quiet count" role="status">
            {!isUsual(sorting) && mayHaveMore && !readsOn
              ? phrase('onlySorted', { jobs: counted })
              : counted}
          </p>
          <ListHead
            sorting={sorting}
            addressWith={(sort) => withQuery(list, { user, ...writeFilters(filters), sort })}
          />
          <JobRows jobs={rows} onNearEnd={mayHaveMore ? loadMore : undefined}>
            {(job) => <JobRow job={job} address={links.job(job)} owner={nameOwner(job)} />}
          </JobRows>
        </div>
      )}
    </>
  );
}

function nameOwner({ owner, owner_name: name }: Job): string {
  return name === undefined ? owner : `${owner} ${name}`;
}

function describeList(user: string, at: ProjectPlace | undefined): string {
  if (!at) return user === '' ? phrase('allJobs') : phrase('jobsBy', { user });
  const { project } = at;
  return user === '' ? phrase('allJobsIn', { project }) : phrase('jobsByIn', { user, project });
}
