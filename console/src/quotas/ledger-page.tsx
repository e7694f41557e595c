import { useState } from 'preact/hooks';
import type { LedgerLine } from '#client/src/index.ts';
import { writeCsv } from '#client/src/rows/write-csv.ts';
import { term } from '#client/src/words/terms.ts';
import { addressOf, goTo, type ProjectPlace, query, withQuery } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { saveText } from '../browser/save.ts';
import { useService } from '../connection/session.ts';
import { useLive } from '../live/use-live.ts';
import { Button, Choice } from '../parts/form.tsx';
import { Empty, Loading } from '../parts/loading.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { LedgerTable } from './ledger-table.tsx';
import { phrase } from './words.ts';

const mostLines = 1000;

/** A phone takes seconds to lay out a thousand lines. All of them are searched. */
const shownAtOnce = 100;

export function LedgerPage({ at: { hpc, project } }: { readonly at: ProjectPlace }) {
  const service = useService();
  const asked = { hpc, project_name: project, limit: mostLines };
  const { value, error, refresh } = useLive(`ledger ${hpc} ${project}`, (service, signal) =>
    service.readLedger(asked, { signal }),
  );
  const [shown, setShown] = useState(shownAtOnce);
  const filters = { kind: query.value.get('kind') ?? '', text: query.value.get('text') ?? '' };
  const here = addressOf.ledger({ project_hpc: hpc, project_name: project });
  const narrow = (change: Partial<typeof filters>) =>
    goTo(withQuery(here, { ...filters, ...change }), { instead: true });
  const lines = value && selectLines(value, filters);
  // The file has all lines, not only the page that is shown.
  const save = async () => {
    const all = await Array.fromAsync(service.readLedger(asked));
    saveText(writeLedger(selectLines(all, filters)), `${project}.csv`, 'text/csv');
  };
  return (
    <>
      <header class="page-head">
        <div>
          <p class="quiet">
            <a href={addressOf.quotas}>{pageNames.quotas()}</a> · {hpc}
          </p>
          <h1>{project}</h1>
        </div>
        <Button disabled={!lines || lines.length === 0} onClick={() => void save()}>
          {phrase('downloadCsv')}
        </Button>
      </header>
      <div class="filters">
        <Choice
          label={phrase('kind')}
          all={phrase('allLines')}
          values={lineKinds}
          write={term}
          value={filters.kind}
          onValue={(kind) => narrow({ kind })}
        />
        <SearchField
          label={phrase('search')}
          value={filters.text}
          onValue={(text) => narrow({ text })}
        />
      </div>
      <Loading value={lines} error={error} refresh={refresh} rows={8} />
      {value?.length === 0 && <Empty title={phrase('emptyLedger')}>{phrase('linesAppear')}</Empty>}
      {lines?.length === 0 && value?.length !== 0 && (
        <Empty title={phrase('noLines')}>{phrase('removeFilter')}</Empty>
      )}
      {lines !== undefined && lines.length > 0 && (
        <LedgerTable lines={lines.slice(0, shown)} at={{ hpc, project }} />
      )}
      {lines !== undefined && lines.length > shown && (
        <Button onClick={() => setShown(shown + shownAtOnce)}>
          {phrase('showMoreLines', { count: Math.min(shownAtOnce, lines.length - shown) })}
        </Button>
      )}
      {value !== undefined && value.length >= mostLines && (
        <p class="quiet">{phrase('newestLines', { count: mostLines })}</p>
      )}
    </>
  );
}

/** The filters, as the address has them. */
interface LedgerFilters {
  readonly kind: string;
  /** Part of a job id or of a reason. */
  readonly text: string;
}

const lineKinds: readonly LedgerLine['kind'][] = [
  'grant',
  'hold',
  'settle',
  'refund',
  'correction',
  'expiry',
];

export function selectLines(
  lines: readonly LedgerLine[],
  { kind, text }: LedgerFilters,
): readonly LedgerLine[] {
  const wanted = text.toLowerCase();
  return lines.filter(
    (line) =>
      (kind === '' || line.kind === kind) &&
      `${line.job_id ?? ''} ${line.reason} ${line.by}`.toLowerCase().includes(wanted),
  );
}

const columns = [
  'at',
  'kind',
  'time',
  'space',
  'time_left',
  'space_left',
  'by',
  'reason',
  'job_id',
] as const;

/** Writes CSV for programs and spreadsheets, with the service's names, seconds and UTC. */
export function writeLedger(lines: readonly LedgerLine[]): string {
  return writeCsv(
    lines.map((line) => Object.fromEntries(columns.map((name) => [name, line[name]]))),
  );
}
