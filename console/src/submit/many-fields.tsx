import { SlipwayProblem } from '#client/src/index.ts';
import { bindFields, Options, SelectField, TextField } from '../parts/form.tsx';
import type { Draft } from './draft.ts';
import type { Input } from './prepare-input.ts';

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
        label="How many"
        hint={hints[draft.many] ?? hints['']}
        value={draft.many}
        onValue={choose}
      >
        <option value="">one job</option>
        <option value="count">many, by number</option>
        <option value="table">many, by table</option>
      </SelectField>
      {draft.many === 'count' && (
        <TextField
          label="Jobs"
          hint="1 to 10,000"
          inputMode="numeric"
          {...field('count', problems)}
        />
      )}
      {draft.many === 'table' &&
        (tables.length > 0 ? (
          <SelectField
            label="Table"
            hint={problems.get('table') ?? 'a CSV file of the input'}
            value={draft.table}
            onValue={(table) => onChange({ table })}
          >
            {!tables.includes(draft.table) && <option value="">choose a file</option>}
            <Options of={tables} />
          </SelectField>
        ) : (
          <TextField
            label="Table"
            hint={
              input
                ? 'the name of a CSV file in the zip'
                : 'drop a folder with a CSV file, or name one that will be in the zip'
            }
            spellcheck={false}
            {...field('table', problems)}
          />
        ))}
      {draft.many !== '' && (
        <TextField
          label="At once"
          hint="optional: how many may run at the same time"
          inputMode="numeric"
          {...field('maxRunning', problems, 'max_running')}
        />
      )}
    </div>
  );
}

const hints: Readonly<Record<string, string>> = {
  '': 'or a batch: many jobs with one price',
  count: '{index} stands for 0, 1, 2, … in the command and the title',
  table: 'one for each row; {column} and {index} stand for its values',
};

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
      <strong>The table cannot be used as it is</strong>
      <ul class="contents">
        {of.map(({ line, message }, index) => (
          <li key={index}>
            {line !== undefined && <strong>Line {line}: </strong>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
