import type { Session } from '../../../connection/session.ts';
import { useCatalog } from '../../../connection/use-catalog.ts';
import { Field } from '../../../parts/field.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { ReasonField } from '../../act/reason-field.tsx';
import { countChanges, countOpen, countOutcomes } from '../outcome/count-outcomes.ts';
import { OutcomesTable } from './outcomes-table.tsx';
import { type Shown, useBulk } from './use-bulk.ts';

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
