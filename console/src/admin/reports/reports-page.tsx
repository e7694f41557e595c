import { useState } from 'preact/hooks';
import { writeNodeTime } from '#client/src/format/amounts/amounts.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import {
  accountAt,
  adminAddress,
  goTo,
  ledAddress,
  type ProjectPlace,
  query,
  withQuery,
} from '../../browser/address.ts';
import { pageNames } from '../../browser/page-names.ts';
import { saveText } from '../../browser/save.ts';
import { useService } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { Chips } from '../../parts/chips.tsx';
import { Button, Choice, Switch, TextField } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, ProblemNote } from '../../parts/loading.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { ProjectTrail } from '../parts/project-trail.tsx';
import { ReportChart } from './report-chart.tsx';
import {
  checkPeriod,
  dimensionsOf,
  groups,
  groupsOfProject,
  isTime,
  nameGroup,
  type ReportFilters,
  readReportFilters,
  splits,
} from './report-filters.ts';
import { ReportTable } from './report-table.tsx';
import { phrase } from './words.ts';

const mostRows = 1000;

interface ReportsPageProps {
  /** The project that is reported on. Without it, all projects. */
  readonly at?: ProjectPlace;
}

/** Reports what ended jobs used. The filters are in the address, so that they can be shared. */
export function ReportsPage({ at }: ReportsPageProps) {
  const service = useService();
  const filters = readReportFilters(query.value, clock.value, at ? 'user' : 'project');
  const { by, since, until, user } = filters;
  const wrong = checkPeriod(filters);
  const asked = {
    by: dimensionsOf(filters),
    ...(wrong === undefined && { since, until }),
    user,
    ...(at && { hpc: at.hpc, project_name: at.project }),
  };
  const pages = usePages(`report ${JSON.stringify(asked)}`, (service, signal) =>
    service.reportUsage({ ...asked, limit: mostRows, names: true }, { signal }),
  );
  // A table that leaves the service has numbers alone, unless somebody asks for more.
  const [names, setNames] = useState(false);
  const [failed, setFailed] = useState<unknown>();
  const address = at ? ledAddress.report(accountAt(at)) : adminAddress.reports;
  const narrow = (change: Partial<ReportFilters>) =>
    goTo(withQuery(address, { ...filters, ...change }), { instead: true });
  const charging = chargingOf(at?.hpc.toUpperCase());
  const save = () =>
    service
      .reportUsageAsCsv({ ...asked, names })
      .then((table) => saveText(table, `usage-by-${by}-${since}-${until}.csv`, 'text/csv'))
      .catch(setFailed);
  const whole = pages.items?.reduce((sum, { time_used: used }) => sum + used, 0) ?? 0;
  return (
    <>
      <header class="page-head">
        <div>
          {at && <ProjectTrail at={at} />}
          <h1>{writeTitle(at, user)}</h1>
        </div>
        <div class="line">
          {by === 'user' && (
            <Switch on={names} onSwitch={setNames}>
              {phrase('withNames')}
            </Switch>
          )}
          <Button disabled={wrong !== undefined} onClick={() => void save()}>
            <Icon name="download" /> {phrase('downloadCsv')}
          </Button>
        </div>
      </header>
      <div class="filters">
        <Chips
          label={phrase('by')}
          values={at ? groupsOfProject : groups}
          current={by}
          addressOf={(group) => withQuery(address, { ...filters, by: group })}
          write={(group) => phrase('byGroup', { group: nameGroup(group) })}
        />
        {isTime(by) && at === undefined && (
          <span class="line">
            <span class="quiet" aria-hidden="true">
              {phrase('dividedBy')}
            </span>
            <Choice
              label={phrase('dividedByLabel')}
              all={phrase('nothingElse')}
              values={splits}
              write={nameGroup}
              value={filters.split}
              onValue={(split) => goTo(withQuery(address, { ...filters, split }))}
            />
          </span>
        )}
      </div>
      <div class="fields filter-fields">
        <TextField
          label={phrase('from')}
          type="date"
          error={wrong}
          value={since}
          onValue={(day) => narrow({ since: day })}
        />
        <TextField
          label={phrase('to')}
          type="date"
          value={until}
          onValue={(day) => narrow({ until: day })}
        />
      </div>
      {failed !== undefined && <ProblemNote error={failed} />}
      <ListOf
        pages={pages}
        empty={<Empty title={phrase('noUsage')}>{phrase('countOnceEnded')}</Empty>}
      >
        {(rows) => (
          <>
            <p class="large" role="status">
              {writeNodeTime(whole, charging)}{' '}
              <span class="quiet">
                {phrase('fromTo', { since: writeDay(since), until: writeDay(until) })}
              </span>
            </p>
            <ReportChart rows={rows} filters={filters} {...(at && { at })} />
            <ReportTable rows={rows} filters={filters} {...(at && { at })} />
          </>
        )}
      </ListOf>
    </>
  );
}

function writeTitle(at: ProjectPlace | undefined, user: string | undefined): string {
  if (!at) return pageNames.reports();
  const { project } = at;
  return user === undefined
    ? phrase('usageOf', { project })
    : phrase('usageByUser', { user, project });
}
