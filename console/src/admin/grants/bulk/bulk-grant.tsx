import { useRef, useState } from 'preact/hooks';
import type { GrantedRow } from '#client/index.ts';
import type { Session } from '../../../connection/session.ts';
import { useCatalog } from '../../../connection/use-catalog.ts';
import { announce } from '../../../live/announce.ts';
import { Field } from '../../../parts/field.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { ReasonField } from '../../act/reason-field.tsx';
import { countOpen, countOutcomes } from './count-outcomes.ts';
import { OutcomesTable } from './outcomes-table.tsx';
import { type PastedRow, type ReadPaste, readPasted } from './read-pasted.ts';

interface Shown {
  readonly rows: readonly PastedRow[];
  readonly outcomes: readonly GrantedRow[];
  readonly done: boolean;
}

const example =
  'user,project,node_hours,until,reason\n306328,proj_hpc_one_01,500,31 March,a course';

/** Many grants by a table: first what each row would change, then, by another click, it is done. */
export function BulkGrant({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState<ReadPaste['problems']>(new Map());
  const [shown, setShown] = useState<Shown>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // One for the table, also when refused rows were corrected: what is done is not done again.
  const key = useRef(crypto.randomUUID());
  const needsReason = shown?.rows.some(({ row }) => row.reason === undefined) ?? false;
  const send = async (rows: readonly PastedRow[], done: boolean) => {
    const given = reason.trim() === '' && !done ? 'a dry run' : reason.trim();
    const outcomes = await session.service.grantQuotas(
      {
        rows: rows.map(({ row }) => row),
        ...(!done && { dry_run: true }),
        ...(given !== '' && { reason: given }),
      },
      { idempotencyKey: key.current },
    );
    setShown({ rows, outcomes, done });
    announce(`${countOutcomes(outcomes)}.`);
  };
  const attempt = async (step: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await step();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const preview = () =>
    attempt(async () => {
      const read = await readPasted(text, catalog?.projects ?? []);
      setProblems(read.problems);
      setShown(undefined);
      if (read.problems.size === 0) await send(read.rows, false);
    });
  const beginAnew = () => {
    setText('');
    setReason('');
    setShown(undefined);
    setProblems(new Map());
    key.current = crypto.randomUUID();
  };
  const open = shown ? countOpen(shown.outcomes) : 0;
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
            spellcheck={false}
            placeholder={example}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setShown(undefined);
            }}
          />
        )}
      </Field>
      <ReasonField
        reason={reason}
        error={
          needsReason && reason.trim() === ''
            ? 'Some rows have none of their own: say why.'
            : undefined
        }
        onReason={setReason}
      />
      {error !== undefined && <ProblemNote error={error} />}
      {shown && (
        <>
          <p role="status">
            <strong>{countOutcomes(shown.outcomes)}</strong>
            {shown.done ? '.' : ': nothing is written yet.'}
            {shown.done &&
              open > 0 &&
              ' Correct the other rows where they stand, and preview again.'}
          </p>
          <OutcomesTable {...shown} catalog={catalog} />
        </>
      )}
      <p class="line">
        <button type="button" disabled={busy || text.trim() === ''} onClick={() => void preview()}>
          Preview
        </button>
        {shown && !shown.done && (
          <button
            type="button"
            class="main"
            disabled={busy || (needsReason && reason.trim() === '')}
            onClick={() => void attempt(() => send(shown.rows, true))}
          >
            {writeButton(shown.rows.length - open)}
          </button>
        )}
        {(shown?.done ?? false) && (
          <button type="button" onClick={beginAnew}>
            Begin anew
          </button>
        )}
      </p>
    </section>
  );
}

function writeProblem([line, problem]: readonly [number, string]): string {
  return line === 0 ? problem : `Line ${line}: ${problem}`;
}

function writeButton(rows: number): string {
  return rows === 1 ? 'Grant 1 row' : `Grant ${rows} rows`;
}
