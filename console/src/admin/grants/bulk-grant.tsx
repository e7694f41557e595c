import { useRef, useState } from 'preact/hooks';
import { joinWords } from '#client/src/format/sentences/join-words.ts';
import type { GrantedRow, Project } from '#client/src/index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '#client/src/rows/match-projects.ts';
import { RowUnreadable } from '#client/src/rows/read-grant-row.ts';
import { type GrantOfTable, type GrantTable, readGrants } from '#client/src/rows/read-grants.ts';
import { term } from '#client/src/words/terms.ts';
import { adminAddress } from '../../browser/address.ts';
import { useService } from '../../connection/session.ts';
import { announce } from '../../live/announce.ts';
import { catalog, chargingOf } from '../../live/catalog.ts';
import { Button, LongTextField, ReasonField, useAttempt } from '../../parts/form.tsx';
import { ProblemNote } from '../../parts/loading.tsx';
import { Table } from '../../parts/table.tsx';
import {
  countChanges,
  countOpen,
  countOutcomes,
  describeOutcome,
  nameOutcome,
} from './outcomes.ts';
import { phrase } from './words.ts';

/** Grants many quotas from a pasted table, after a preview of what each row changes. */
export function BulkGrant() {
  const bulk = useBulk();
  const { text, reason, problems, shown, busy, error, lacksReason } = bulk;
  const changes = shown && !shown.done ? countChanges(shown.outcomes) : 0;
  return (
    <section class="panel" aria-labelledby="bulk-title">
      <h2 id="bulk-title">{phrase('many')}</h2>
      <LongTextField
        label={phrase('table')}
        hint={phrase('tableHint')}
        error={problems.size > 0 ? [...problems].map(writeProblem).join(' ') : undefined}
        value={text}
        onValue={bulk.write}
        rows={6}
        wrap="off"
        spellcheck={false}
        placeholder={phrase('tableExample')}
      />
      <ReasonField
        value={reason}
        error={lacksReason ? phrase('rowsLackReason') : undefined}
        onValue={bulk.setReason}
      />
      {error !== undefined && <ProblemNote error={error} />}
      {shown && (
        <>
          <p role="status">{describeShown(shown)}</p>
          <OutcomesTable {...shown} />
        </>
      )}
      <p class="line">
        <Button disabled={busy || text.trim() === ''} onClick={() => void bulk.preview()}>
          {phrase('previewChanges')}
        </Button>
        {changes > 0 && (
          <Button class="main" disabled={busy || lacksReason} onClick={() => void bulk.grant()}>
            {phrase('grantRows', { count: changes })}
          </Button>
        )}
        {shown?.done && <Button onClick={bulk.startOver}>{phrase('startOver')}</Button>}
      </p>
    </section>
  );
}

function describeShown({ outcomes, done }: Shown): string {
  const counts = countOutcomes(outcomes);
  if (!done) return phrase('previewed', { counts });
  return countOpen(outcomes) > 0 ? phrase('someOpen', { counts }) : `${counts}.`;
}

function writeProblem([line, problem]: readonly [number, string]): string {
  return line === 0 ? problem : phrase('problemAt', { line, problem });
}

/** The outcome of each row. */
interface Shown {
  readonly rows: readonly GrantOfTable[];
  readonly outcomes: readonly GrantedRow[];
  /** False for a preview. */
  readonly done: boolean;
}

const nothingWrong: GrantTable['problems'] = new Map();

/** Holds a table while it is pasted, previewed, granted and, if rows were refused, corrected. */
function useBulk() {
  const service = useService();
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState(nothingWrong);
  const [shown, setShown] = useState<Shown>();
  const { busy, error, attempt, clear } = useAttempt();
  // The key stays while refused rows are corrected, so that no row is granted twice.
  const key = useRef(crypto.randomUUID());
  const given = reason.trim();
  const write = (pasted: string) => {
    setText(pasted);
    setShown(undefined);
    clear();
    setProblems(nothingWrong);
  };
  const send = async (rows: readonly GrantOfTable[], done: boolean) => {
    const why = given === '' && !done ? phrase('dryRun') : given;
    const outcomes = await service.grantQuotas(
      {
        rows: rows.map(({ row }) => row),
        ...(!done && { dry_run: true }),
        ...(why !== '' && { reason: why }),
      },
      { idempotencyKey: key.current },
    );
    setShown({ rows, outcomes, done });
    if (done) announce(`${countOutcomes(outcomes)}.`);
  };
  return {
    text,
    write,
    reason,
    setReason,
    problems,
    shown,
    busy,
    error,
    /** Whether some rows have no reason, and there is none for all. */
    lacksReason: given === '' && (shown?.rows.some(({ row }) => row.reason === undefined) ?? false),
    preview: () =>
      attempt(async () => {
        const read = await readPasted(text, catalog.value?.projects ?? []);
        setProblems(read.problems);
        setShown(undefined);
        if (read.problems.size === 0) await send(read.rows, false);
      }),
    grant: () => attempt(async () => shown && send(shown.rows, true)),
    startOver: () => {
      write('');
      setReason('');
      key.current = crypto.randomUUID();
    },
  };
}

const wouldBe: Readonly<Record<GrantedRow['outcome'], () => string>> = {
  granted: () => phrase('wouldBeGranted'),
  corrected: () => phrase('wouldBeCorrected'),
  unchanged: () => term('unchanged'),
  refused: () => phrase('wouldBeRefused'),
  'not-done': () => phrase('notChecked'),
};

function OutcomesTable({ rows, outcomes, done }: Shown) {
  return (
    <Table
      rows={rows.map((each, index) => ({ ...each, outcome: outcomes[index] }))}
      keyOf={({ line }) => line}
      columns={[
        { head: phrase('line'), cell: ({ line }) => line, class: 'number' },
        {
          head: phrase('user'),
          cell: ({ row }) => <a href={adminAddress.person(row.user_id)}>{row.user_id}</a>,
        },
        { head: phrase('project'), cell: ({ row }) => row.project_name },
        {
          head: phrase('outcome'),
          cell: ({ outcome }) => (
            <span class={`state one-line ${outcome?.outcome ?? ''}`}>
              {outcome && (done ? nameOutcome(outcome) : wouldBe[outcome.outcome]())}
            </span>
          ),
        },
        {
          head: phrase('change'),
          cell: ({ row, outcome }) =>
            outcome && describeOutcome(outcome, chargingOf(row.hpc.toUpperCase())),
          class: 'words',
        },
      ]}
    />
  );
}

/** The service accepts this many rows in one request. */
const mostRows = 1000;

/** Reads a pasted table: CSV, or the cells of a spreadsheet. */
export async function readPasted(text: string, projects: readonly Project[]): Promise<GrantTable> {
  const table = await readGrants(text, (wanted) => findPlace(projects, wanted), mostRows);
  return table.rows.length + table.problems.size > mostRows
    ? { rows: [], problems: new Map([[0, phrase('tooManyRows')]]) }
    : table;
}

function findPlace(projects: readonly Project[], wanted: string): ProjectPlace {
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) throw new RowUnreadable(phrase('unknownProject', { wanted }));
  if (others.length > 0) {
    const names = joinWords([place, ...others].map(writePlace), 'disjunction');
    throw new RowUnreadable(phrase('onSeveral', { wanted, names }));
  }
  return place;
}
