interface ChipsProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly current: Value;
  readonly addressOf: (value: Value) => string;
  readonly write?: (value: Value) => string;
}

/** Offers values as links to the same page, so that a choice can be shared and undone. */
export function Chips<Value extends string>(props: ChipsProps<Value>) {
  const { label, values, current, addressOf, write = String } = props;
  return (
    <nav class="chips" aria-label={label}>
      {values.map((value) => (
        <a
          key={value}
          class="chip"
          href={addressOf(value)}
          aria-current={value === current ? 'true' : undefined}
        >
          {write(value)}
        </a>
      ))}
    </nav>
  );
}
