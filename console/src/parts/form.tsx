import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { phrase } from './words.ts';

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'onSubmit'> {
  readonly onSubmit: () => unknown;
}

/** Handles a form without loading the page again. */
export function Form({ onSubmit, ...attributes }: FormProps) {
  return (
    <form
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

type ButtonProps = JSX.IntrinsicElements['button'];

/** Does something on the page, and never sends a form. */
export function Button(attributes: ButtonProps) {
  return <button type="button" {...attributes} />;
}

/** Looks like a link. */
export function PlainButton(attributes: ButtonProps) {
  return <Button class="plain" {...attributes} />;
}

/** Runs steps that may fail. Tells whether one is running, and why the last one failed. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    await step().catch(setError);
    setBusy(false);
  };
  const clear = () => setError(undefined);
  return { busy, error, attempt, clear };
}

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
function Field({ label, hint, error, children }: AnyFieldProps) {
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

interface ValueProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

const kinds = {
  text: {},
  date: { type: 'date' },
  email: { type: 'email' },
  url: { type: 'url' },
} as const;

interface TextFieldProps extends ValueProps {
  readonly type?: keyof typeof kinds;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly inputMode?: 'numeric';
  readonly spellcheck?: boolean;
  readonly autocomplete?: 'on';
  readonly placeholder?: string;
}

export function TextField(props: TextFieldProps) {
  const { label, hint, error, type = 'text', onValue, ...attributes } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          autocomplete="off"
          {...ids}
          {...attributes}
          {...kinds[type]}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

type LongTextFieldProps = ValueProps &
  Pick<TextFieldProps, 'required' | 'maxLength' | 'spellcheck' | 'placeholder'> & {
    readonly rows: number;
    readonly wrap?: 'off';
  };

export function LongTextField(props: LongTextFieldProps) {
  const { label, hint, error, onValue, ...attributes } = props;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <textarea
          {...ids}
          {...attributes}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps extends ValueProps {
  /** The options. */
  readonly children: ComponentChildren;
}

export function SelectField({ label, hint, onValue, ...attributes }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          {...attributes}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SystemFieldProps extends Pick<ValueProps, 'hint' | 'value' | 'onValue'> {
  readonly systems: readonly string[];
}

export function SystemField({ systems, ...field }: SystemFieldProps) {
  return (
    <SelectField label={phrase('system')} {...field}>
      <Options of={systems} />
    </SelectField>
  );
}

interface ChoiceProps {
  /** Read out by screen readers only. */
  readonly label: string;
  /** The words of the choice that leaves nothing out. */
  readonly all: string;
  readonly values: readonly string[];
  /** Writes a value in words, if they are not the same. */
  readonly write?: (value: string) => string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Narrows a list to one of the values. */
export function Choice({ label, all, values, write, value, onValue }: ChoiceProps) {
  return (
    <label class="inline">
      <span class="said">{label}</span>
      <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="">{all}</option>
        <Options of={values} write={write} />
      </select>
    </label>
  );
}

interface OptionsProps {
  readonly of: readonly string[];
  readonly write?: ((value: string) => string) | undefined;
}

/** Lists options, whose values are their words unless `write` has others. */
export function Options({ of, write = String }: OptionsProps) {
  return (
    <>
      {of.map((value) => (
        <option key={value} value={value}>
          {write(value)}
        </option>
      ))}
    </>
  );
}

interface SwitchProps {
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
  readonly children: ComponentChildren;
}

export function Switch({ on, onSwitch, children }: SwitchProps) {
  return (
    <label class="inline">
      <input
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      {children}
    </label>
  );
}

type ReasonFieldProps = Pick<ValueProps, 'error' | 'hint' | 'value' | 'onValue'>;

/** Asks why an administrator acts. */
export function ReasonField({ hint = phrase('auditKeepsIt'), ...field }: ReasonFieldProps) {
  return <TextField label={phrase('reason')} hint={hint} required maxLength={500} {...field} />;
}

/** Connects the fields of a form with its draft, and with what is wrong with them. */
export function bindFields<Name extends string>(
  draft: Readonly<Record<Name, string>>,
  onChange: (name: Name, value: string) => void,
) {
  return (name: Name, problems: ReadonlyMap<string, string>, problem: string = name) => ({
    value: draft[name],
    error: problems.get(problem),
    onValue: (value: string) => onChange(name, value),
  });
}
