import { Field } from '../../parts/field.tsx';

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
