import { Field } from '../../parts/field.tsx';

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
