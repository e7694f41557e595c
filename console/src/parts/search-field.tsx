interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Searches what the page lists. The key / leads to it. */
export function SearchField({ label, value, onValue }: SearchFieldProps) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={`${label} (/)`}
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
