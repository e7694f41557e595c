import { useState } from 'preact/hooks';
import { writeNodeTime } from '#client/src/format/amounts.ts';
import { writeDay } from '#client/src/format/day.ts';
import { adminAddress, goTo, query, withQuery } from '../../browser/address.ts';
import { saveText } from '../../browser/save.ts';
import { useService } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { Chips } from '../../parts/chips.tsx';
import { TextField } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, ProblemNote } from '../../parts/loading.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { ReportChart } from './report-chart.tsx';
import { checkPeriod, groups, type ReportFilters, readReportFilters } from './report-filters.ts';
import { ReportTable } from './report-table.tsx';

const mostRows = 1000;

/** Reports what ended jobs used. The filters are in the address, so that they can be shared. */
export function ReportsPage() {
  const service = useService();
  const filters = readReportFilters(query.value, clock.value);
  const { by, since, until } = filters;
  const wrong = checkPeriod(filters);
  const period = wrong === undefined ? { since, until } : {};
  const pages = usePages(`report ${JSON.stringify({ by, ...period })}`, (service, signal) =>
    service.reportUsage({ by, ...period, limit: mostRows }, { signal }),
  );
  const [failed, setFailed] = useState<unknown>();
  const narrow = (change: Partial<ReportFilters>) =>
    goTo(withQuery(adminAddress.reports, { ...filters, ...change }), { instead: true });
  const save = () =>
    service
      .reportUsageAsCsv({ by, ...period })
      .then((table) => saveText(table, `usage-by-${by}-${since}-${until}.csv`, 'text/csv'))
      .catch(setFailed);
  const whole = pages.items?.reduce((sum, { time_used: used }) => sum + used, 0) ?? 0;
  return (
    <>
      <header class="page-head">
        <h1>Reports</h1>
        <button type="button" disabled={wrong !== undefined} onClick={() => void save()}>
          <Icon name="download" /> Download CSV
        </button>
      </header>
      <div class="filters">
        <Chips
          label="By"
          values={groups}
          current={by}
          addressOf={(group) => withQuery(adminAddress.reports, { ...filters, by: group })}
          write={(group) => `by ${group}`}
        />
      </div>
      <div class="fields filter-fields">
        <TextField
          label="From"
          type="date"
          error={wrong}
          value={since}
          onValue={(day) => narrow({ since: day })}
        />
        <TextField label="To" type="date" value={until} onValue={(day) => narrow({ until: day })} />
      </div>
      {failed !== undefined && <ProblemNote error={failed} />}
      <ListOf
        pages={pages}
        empty={
          <Empty title="No usage in this period.">
            Jobs count once they have ended. Choose another period.
          </Empty>
        }
      >
        {(rows) => (
          <>
            <p class="large" role="status">
              {writeNodeTime(whole, chargingOf())}{' '}
              <span class="quiet">
                from {writeDay(since)} to {writeDay(until)}
              </span>
            </p>
            <ReportChart rows={rows} filters={filters} />
            <ReportTable rows={rows} by={by} />
          </>
        )}
      </ListOf>
    </>
  );
}
