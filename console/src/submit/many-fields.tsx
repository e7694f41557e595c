import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import { SlipwayProblem } from '#client/src/index.ts';
import { bindFields, Options, SelectField, TextField } from '../parts/form.tsx';
import type { Draft } from './draft.ts';
import type { Input } from './prepare-input.ts';
import { phrase } from './words.ts';

/** The service accepts no more. */
const mostJobs = 10_000;

interface ManyFieldsProps {
  readonly draft: Draft;
  readonly input: Input | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Asks whether the form is for one job or for many, and where the values of the many come from. */
export function ManyFields({ draft, input, problems, onChange }: ManyFieldsProps) {
  const { fields: _, ...texts } = draft;
  const field = bindFields(texts, (name, value) => onChange({ [name]: value }));
  const tables = (input?.tables ?? []).map(({ name }) => name);
  const choose = (many: string) => {
    const [first = ''] = tables;
    const table = tables.includes(draft.table) ? draft.table : first;
    onChange({ many, ...(many === 'table' && { table }) });
  };
  return (
    <div class="fields three">
      <SelectField
        label={phrase('howMany')}
        hint={describeMany(draft)}
        value={draft.many}
        onValue={choose}
      >
        <option value="">{phrase('oneJob')}</option>
        <option value="count">{phrase('byNumber')}</option>
        <option value="table">{phrase('byTable')}</option>
      </SelectField>
      {draft.many === 'count' && (
        <TextField
          label={phrase('jobs')}
          hint={phrase('oneTo', { most: writeNumber(mostJobs) })}
          inputMode="numeric"
          {...field('count', problems)}
        />
      )}
      {draft.many === 'table' &&
        (tables.length > 0 ? (
          <SelectField
            label={phrase('table')}
            hint={problems.get('table') ?? phrase('tableOfInput')}
            value={draft.table}
            onValue={(table) => onChange({ table })}
          >
            {!tables.includes(draft.table) && <option value="">{phrase('chooseFile')}</option>}
            <Options of={tables} />
          </SelectField>
        ) : (
          <TextField
            label={phrase('table')}
            hint={input ? phrase('tableInZip') : phrase('tableToCome')}
            spellcheck={false}
            {...field('table', problems)}
          />
        ))}
      {draft.many !== '' && (
        <TextField
          label={phrase('atOnce')}
          hint={phrase('atOnceHint')}
          inputMode="numeric"
          {...field('maxRunning', problems, 'max_running')}
        />
      )}
    </div>
  );
}

function describeMany({ many }: Draft): string {
  const index = '{index}';
  if (many === 'count') return phrase('byNumberHint', { index });
  return many === 'table'
    ? phrase('byTableHint', { column: '{column}', index })
    : phrase('orBatch');
}

interface TableProblem {
  /** The line in the table. Undefined if the problem is with the whole file. */
  readonly line: string | undefined;
  readonly message: string;
}

/** Lists everything that is wrong with a table. The service names such problems `table:line`. */
export function listTableProblems(error: unknown, table: string): readonly TableProblem[] {
  if (!(error instanceof SlipwayProblem) || table === '') return [];
  return (error.problem.errors ?? []).flatMap(({ name, message }): TableProblem[] => {
    if (name === table) return [{ line: undefined, message }];
    return name.startsWith(`${table}:`) ? [{ line: name.slice(table.length + 1), message }] : [];
  });
}

export function TableProblems({ of }: { readonly of: readonly TableProblem[] }) {
  return (
    <div class="note bad" role="alert">
      <strong>{phrase('tableUnusable')}</strong>
      <ul class="contents">
        {of.map(({ line, message }, index) => (
          <li key={index}>
            {line !== undefined && <strong>{phrase('inLine', { line })} </strong>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
