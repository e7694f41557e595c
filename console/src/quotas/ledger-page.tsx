import { goTo, query } from '../browser/address.ts';
import { addressOf, withQuery } from '../browser/routes.ts';
import { saveText } from '../browser/save.ts';
import type { Session } from '../connection/session.ts';
import { chargingOf, useCatalog } from '../connection/use-catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Empty, Waiting } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { type LedgerLine, linesOf } from './ledger-lines.ts';
import { LedgerTable } from './ledger-table.tsx';

interface LedgerPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string };
}

const mostLines = 1000;

export function LedgerPage({ session, at: { hpc, project } }: LedgerPageProps) {
  const catalog = useCatalog(session);
  const { value, error, refresh } = useLive(`ledger ${hpc} ${project}`, async (signal) =>
    linesOf(
      await session.service.readLedger(
        { hpc, project_name: project, limit: mostLines },
        { signal },
      ),
    ),
  );
  const filters = readLedgerFilters(query.value);
  const here = addressOf.ledger({ project_hpc: hpc, project_name: project });
  const narrow = (change: Partial<typeof filters>) =>
    goTo(withQuery(here, { ...filters, ...change }), { instead: true });
  const lines = value && selectLines(value, filters);
  /** All of them, however many pages they are. */
  const save = async () => {
    const all = await Array.fromAsync(
      session.service.readLedger({ hpc, project_name: project, limit: mostLines }),
    );
    saveText(writeLedger(selectLines(linesOf(all), filters)), `${project}.csv`, 'text/csv');
  };
  return (
    <>
      <header class="page-head">
        <div>
          <p class="quiet">
            <a href={addressOf.quotas}>Quotas</a> · {hpc}
          </p>
          <h1>{project}</h1>
        </div>
        <button type="button" disabled={!lines || lines.length === 0} onClick={() => void save()}>
          Save as CSV
        </button>
      </header>
      <div class="filters">
        <label class="inline">
          <span class="said">Kind</span>
          <select
            value={filters.kind}
            onChange={({ currentTarget }) => narrow({ kind: currentTarget.value })}
          >
            <option value="">all lines</option>
            {lineKinds.map((kind) => (
              <option key={kind} value={kind}>
                {kind}
              </option>
            ))}
          </select>
        </label>
        <input
          type="search"
          aria-label="Search jobs and reasons"
          placeholder="A job's id, or a reason"
          value={filters.text}
          onInput={({ currentTarget }) => narrow({ text: currentTarget.value })}
        />
      </div>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {lines === undefined && error === undefined && <Waiting rows={8} />}
      {lines?.length === 0 && <Empty title="No line is like that.">Take a filter away.</Empty>}
      {lines !== undefined && lines.length > 0 && (
        <LedgerTable
          lines={lines}
          charging={chargingOf(catalog, hpc.toUpperCase())}
          at={{ hpc, project }}
        />
      )}
      {value !== undefined && value.length >= mostLines && (
        <p class="quiet">These are the newest {mostLines.toLocaleString('en-US')} lines.</p>
      )}
    </>
  );
}

/** Which lines are shown, as the address says it. */
interface LedgerFilters {
  readonly kind: string;
  /** The beginning of a job's id, or part of a reason. */
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

function readLedgerFilters(query: URLSearchParams): LedgerFilters {
  return { kind: query.get('kind') ?? '', text: query.get('text') ?? '' };
}

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

/** RFC 4180, with the service's own names, seconds and UTC: for programs and spreadsheets. */
export function writeLedger(lines: readonly LedgerLine[]): string {
  const rows = lines.map((line) => columns.map((name) => writeCell(line[name])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** What a spreadsheet would take for a formula is made text: reasons are written by anybody. */
function writeCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
