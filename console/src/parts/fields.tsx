import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Limits or an example, so that nobody has to look them up. */
  readonly hint?: ComponentChildren;
  /** Takes the place of the hint. */
  readonly error?: string | undefined;
}

interface AnyFieldProps extends FieldProps {
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
  }) => ComponentChildren;
}

/** Puts a label above a control, and a hint or an error below it. */
export function Field({ label, hint, error, children }: AnyFieldProps) {
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

interface TextFieldProps extends FieldProps {
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly inputMode?: 'numeric';
  readonly spellcheck?: boolean;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, value, onValue, ...attributes } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          {...ids}
          {...attributes}
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

type DayFieldProps = Pick<TextFieldProps, 'label' | 'error' | 'value' | 'onValue'>;

/** Takes a day, such as `2026-11-15`. */
export function DayField({ value, onValue, ...field }: DayFieldProps) {
  return (
    <Field {...field}>
      {(ids) => (
        <input
          {...ids}
          type="date"
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface LongTextFieldProps extends FieldProps, Pick<TextFieldProps, 'value' | 'onValue'> {
  readonly attributes: JSX.IntrinsicElements['textarea'];
}

export function LongTextField(props: LongTextFieldProps) {
  const { label, hint, error, value, onValue, attributes } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <textarea
          {...ids}
          {...attributes}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends FieldProps, Pick<TextFieldProps, 'value' | 'onValue'> {
  /** The options. */
  readonly children: ComponentChildren;
}

export function SelectField({ label, hint, value, onValue, children }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          {children}
        </select>
      )}
    </Field>
  );
}

interface SystemFieldProps extends Pick<TextFieldProps, 'hint' | 'value' | 'onValue'> {
  readonly systems: readonly string[];
}

export function SystemField({ systems, ...field }: SystemFieldProps) {
  return (
    <SelectField label="System" {...field}>
      {systems.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}

interface ReasonFieldProps extends Pick<TextFieldProps, 'error' | 'value' | 'onValue'> {}

/** Asks why an administrator acts. */
export function ReasonField(field: ReasonFieldProps) {
  return (
    <TextField
      label="Reason"
      hint="The audit keeps it, and the user can read it."
      required
      maxLength={500}
      {...field}
    />
  );
}
