import { useState } from 'preact/hooks';
import type { Charging } from '#client/src/format/amounts/amounts.ts';
import { clock } from '../../live/clock.ts';
import { echoDay, echoSpace, echoTime } from '../../parts/echo.ts';
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
  readonly charging: Charging;
  /** Examples. Without one for the end, there is no such field. */
  readonly hints: Pick<Draft, 'time' | 'space'> & { readonly until: string | undefined };
}

/** Asks for time, space and the last day. */
export function QuotaFields({ field, wrong, hints, charging }: QuotaFieldsProps) {
  const time = field('time', wrong);
  const space = field('space', wrong);
  const until = field('until', wrong, 'valid_until');
  return (
    <>
      <div class="fields two">
        <TextField
          label={phrase('time')}
          hint={echoTime(time.value, charging) ?? hints.time}
          {...time}
        />
        <TextField
          label={phrase('space')}
          hint={echoSpace(space.value) ?? hints.space}
          {...space}
        />
      </div>
      {hints.until !== undefined && (
        <TextField
          label={phrase('until')}
          hint={echoDay(until.value, clock.value) ?? hints.until}
          {...until}
        />
      )}
    </>
  );
}
