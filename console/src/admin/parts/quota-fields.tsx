import { useState } from 'preact/hooks';
import { bindFields, TextField } from '../../parts/form.tsx';
import type { Draft } from './read-fields.ts';
import { phrase } from './words.ts';

type Problems = ReadonlyMap<string, string>;

/** Keeps what is typed in the fields of a dialog. */
export function useDraft<Name extends string>(
  begin: Readonly<Record<Name, string>> | (() => Readonly<Record<Name, string>>),
) {
  const [draft, setDraft] = useState(begin);
  const field = bindFields(draft, (name, value) =>
    setDraft((before) => ({ ...before, [name]: value })),
  );
  return { draft, field };
}

interface QuotaFieldsProps {
  readonly field: (
    name: keyof Draft,
    problems: Problems,
    problem?: string,
  ) => { readonly value: string; readonly onValue: (value: string) => void };
  readonly wrong: Problems;
  /** Examples. Without one for the end, there is no such field. */
  readonly hints: Pick<Draft, 'time' | 'space'> & { readonly until: string | undefined };
}

/** Asks for time, space and the last day. */
export function QuotaFields({ field, wrong, hints }: QuotaFieldsProps) {
  return (
    <>
      <div class="fields two">
        <TextField label={phrase('time')} hint={hints.time} {...field('time', wrong)} />
        <TextField label={phrase('space')} hint={hints.space} {...field('space', wrong)} />
      </div>
      {hints.until !== undefined && (
        <TextField
          label={phrase('until')}
          hint={hints.until}
          {...field('until', wrong, 'valid_until')}
        />
      )}
    </>
  );
}
