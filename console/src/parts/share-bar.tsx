export interface Share {
  readonly kind: 'used' | 'held' | 'left' | 'elapsed';
  readonly amount: number;
}

/** Parts of a whole, to scale. What it says is said in words beside it. */
export function ShareBar({
  shares,
  label,
}: {
  readonly shares: readonly Share[];
  readonly label: string;
}) {
  const whole = shares.reduce((sum, { amount }) => sum + Math.max(0, amount), 0);
  return (
    <div class="share-bar" role="img" aria-label={label} title={label}>
      {whole > 0 &&
        shares.map(({ kind, amount }) => (
          <span
            key={kind}
            class={kind}
            style={{ width: `${(100 * Math.max(0, amount)) / whole}%` }}
          />
        ))}
    </div>
  );
}
