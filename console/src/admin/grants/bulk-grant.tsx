import { useRef, useState } from 'preact/hooks';
import type { GrantedRow, Project } from '#client/src/index.ts';
import type { GrantOfTable, GrantTable } from '#client/src/rows/read-grants.ts';
import { adminAddress } from '../../browser/routes.ts';
import type { Session } from '../../connection/session.ts';
import { type Catalog, chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { announce } from '../../live/announce.ts';
import { Field, ReasonField } from '../../parts/fields.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { countChanges, countOpen, countOutcomes, describeOutcome } from './outcomes.ts';
import { readPasted } from './read-pasted.ts';

const example =
  'user,project,node_hours,until,reason\n306328,proj_hpc_one_01,500,31 March,a course';

/** Many grants by a table: first what each row would change, then, by another click, it is done. */
export function BulkGrant({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const bulk = useBulk(session, catalog?.projects ?? []);
  const { text, reason, problems, shown, busy, error, lacksReason } = bulk;
  const changes = shown && !shown.done ? countChanges(shown.outcomes) : 0;
  return (
    <section class="panel" aria-labelledby="bulk-title">
      <h2 id="bulk-title">Many at once</h2>
      <Field
        label="Table"
        hint="Paste CSV or cells of a spreadsheet. Columns: user, project, node_hours, space, until, reason."
        error={problems.size > 0 ? [...problems].map(writeProblem).join(' ') : undefined}
      >
        {(ids) => (
          <textarea
            {...ids}
            rows={6}
            wrap="off"
            spellcheck={false}
            placeholder={example}
            value={text}
            onInput={({ currentTarget }) => bulk.write(currentTarget.value)}
          />
        )}
      </Field>
      <ReasonField
        reason={reason}
        error={lacksReason ? 'Some rows have none of their own: say why.' : undefined}
        onReason={bulk.setReason}
      />
      {error !== undefined && <ProblemNote error={error} />}
      {shown && (
        <>
          <p role="status">{describeShown(shown)}</p>
          <OutcomesTable {...shown} catalog={catalog} />
        </>
      )}
      <p class="line">
        <button
          type="button"
          disabled={busy || text.trim() === ''}
          onClick={() => void bulk.preview()}
        >
          Preview
        </button>
        {changes > 0 && (
          <button
            type="button"
            class="main"
            disabled={busy || lacksReason}
            onClick={() => void bulk.grant()}
          >
            Grant {changes} {changes === 1 ? 'row' : 'rows'}
          </button>
        )}
        {shown?.done && (
          <button type="button" onClick={bulk.beginAnew}>
            Begin anew
          </button>
        )}
      </p>
    </section>
  );
}

function describeShown({ outcomes, done }: Shown): string {
  const counted = countOutcomes(outcomes);
  if (!done) return `Would be: ${counted}. Nothing is written yet.`;
  return countOpen(outcomes) > 0
    ? `${counted}. Correct the other rows where they stand, and preview again.`
    : `${counted}.`;
}

function writeProblem([line, problem]: readonly [number, string]): string {
  return line === 0 ? problem : `Line ${line}: ${problem}`;
}

/** What became of the rows, or would. */
interface Shown {
  readonly rows: readonly GrantOfTable[];
  readonly outcomes: readonly GrantedRow[];
  readonly done: boolean;
}

const nothingWrong: GrantTable['problems'] = new Map();

/** A table on its way: pasted, looked at, done, and where needed corrected and sent again. */
function useBulk({ service }: Session, projects: readonly Project[]) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState(nothingWrong);
  const [shown, setShown] = useState<Shown>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // One for the table, also when refused rows were corrected: what is done is not done again.
  const key = useRef(crypto.randomUUID());
  const given = reason.trim();
  const write = (pasted: string) => {
    setText(pasted);
    setShown(undefined);
    setProblems(nothingWrong);
  };
  const send = async (rows: readonly GrantOfTable[], done: boolean) => {
    const why = given === '' && !done ? 'a dry run' : given;
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
  const attempt = async (step: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    await step().catch(setError);
    setBusy(false);
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
    /** Some rows have none of their own, and there is none for all. */
    lacksReason: given === '' && (shown?.rows.some(({ row }) => row.reason === undefined) ?? false),
    preview: () =>
      attempt(async () => {
        const read = await readPasted(text, projects);
        setProblems(read.problems);
        setShown(undefined);
        if (read.problems.size === 0) await send(read.rows, false);
      }),
    grant: () => attempt(async () => shown && send(shown.rows, true)),
    beginAnew: () => {
      write('');
      setReason('');
      key.current = crypto.randomUUID();
    },
  };
}

interface OutcomesTableProps {
  readonly rows: readonly GrantOfTable[];
  readonly outcomes: readonly GrantedRow[];
  readonly catalog: Catalog | undefined;
  /** Whether it was done, or only would be. */
  readonly done: boolean;
}

const wouldBe: Readonly<Record<GrantedRow['outcome'], string>> = {
  granted: 'would be granted',
  corrected: 'would be corrected',
  unchanged: 'unchanged',
  refused: 'would be refused',
  'not-done': 'not looked at',
};

const was: Readonly<Record<GrantedRow['outcome'], string>> = {
  granted: 'granted',
  corrected: 'corrected',
  unchanged: 'unchanged',
  refused: 'refused',
  'not-done': 'not done',
};

/** A line for each row: what becomes of it, and what it changes. */
function OutcomesTable({ rows, outcomes, catalog, done }: OutcomesTableProps) {
  const words = done ? was : wouldBe;
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th class="number">Line</th>
            <th>User</th>
            <th>Project</th>
            <th>Outcome</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ line, row }, index) => {
            const outcome = outcomes[index];
            return (
              <tr key={line}>
                <td class="number">{line}</td>
                <td>
                  <a href={adminAddress.person(row.user_id)}>{row.user_id}</a>
                </td>
                <td>{row.project_name}</td>
                <td>
                  <span class={`state one-line ${outcome?.outcome ?? ''}`}>
                    {outcome && words[outcome.outcome]}
                  </span>
                </td>
                <td class="words">
                  {outcome && describeOutcome(outcome, chargingOf(catalog, row.hpc.toUpperCase()))}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
