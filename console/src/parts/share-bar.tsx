interface TimeBarProps {
  readonly time: { readonly used: number; readonly held: number; readonly left: number };
  readonly label: string;
}

/** Draws how much of a quota is used, reserved and left. */
export function TimeBar({ time: { used, held, left }, label }: TimeBarProps) {
  return <ShareBar label={label} shares={{ used, held, left }} />;
}

interface RunBarProps {
  /** Seconds. */
  readonly ran: number;
  readonly limit: number;
  readonly label: string;
}

/** Draws how far a job is into its time limit. */
export function RunBar({ ran, limit, label }: RunBarProps) {
  return <ShareBar label={label} shares={{ elapsed: Math.min(ran, limit), left: limit - ran }} />;
}

interface ShareBarProps {
  /** Amounts by the class that colours the part. */
  readonly shares: Readonly<Record<string, number>>;
  /** Says in words what the bar shows. */
  readonly label: string;
}

function ShareBar({ shares, label }: ShareBarProps) {
  const parts = Object.entries(shares).map(
    ([kind, amount]) => [kind, Math.max(0, amount)] as const,
  );
  const whole = parts.reduce((sum, [, amount]) => sum + amount, 0);
  return (
    <div class="share-bar" role="img" aria-label={label} title={label}>
      {whole > 0 &&
        parts.map(([kind, amount]) => (
          <span key={kind} class={kind} style={{ width: `${(100 * amount) / whole}%` }} />
        ))}
    </div>
  );
}
