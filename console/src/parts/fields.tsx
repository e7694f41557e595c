import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Limits, or an example: what one would else have to look up. */
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** A label, what is entered, and below it what may be entered or what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': error !== undefined })}
      <small id={noteId}>{error ?? hint}</small>
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function TextField({ label, hint, error, value, onValue }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly error?: string | undefined;
  /** `2026-11-15`, or nothing. */
  readonly day: string;
  readonly onDay: (day: string) => void;
}

export function DayField({ label, error, day, onDay }: DayFieldProps) {
  return (
    <Field label={label} error={error}>
      {(ids) => (
        <input
          {...ids}
          type="date"
          value={day}
          onInput={({ currentTarget }) => onDay(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SystemFieldProps {
  readonly systems: readonly string[];
  readonly value: string;
  readonly onValue: (system: string) => void;
}

export function SystemField({ systems, value, onValue }: SystemFieldProps) {
  return (
    <Field label="System">
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          {systems.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ReasonFieldProps {
  readonly reason: string;
  readonly error: string | undefined;
  readonly onReason: (reason: string) => void;
}

/** Beside every act: why. */
export function ReasonField({ reason, error, onReason }: ReasonFieldProps) {
  return (
    <Field label="Reason" hint="The audit keeps it, and the user may read it." error={error}>
      {(ids) => (
        <input
          {...ids}
          required
          maxLength={500}
          autocomplete="off"
          value={reason}
          onInput={({ currentTarget }) => onReason(currentTarget.value)}
        />
      )}
    </Field>
  );
}
