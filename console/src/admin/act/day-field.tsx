import { Field } from '../../parts/field.tsx';

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
