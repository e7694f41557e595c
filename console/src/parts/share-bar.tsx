import { writeCount, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { term } from '#client/src/words/terms.ts';

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

/** The states of a batch's jobs, in the order in which they are shown. */
export const batchStates = ['failed', 'done', 'cancelled', 'running', 'waiting'] as const;

export type BatchState = (typeof batchStates)[number];

type Counts = Readonly<Record<BatchState, number>>;

/** Draws how many jobs of a batch are in which state. */
export function CountsBar({ counts }: { readonly counts: Counts }) {
  const shares = Object.fromEntries(batchStates.map((state) => [`of-${state}`, counts[state]]));
  return <ShareBar label={describeCounts(counts)} shares={shares} />;
}

/** Writes `100 jobs: 3 failed, 20 done, 77 waiting`. */
export function describeCounts(counts: Counts): string {
  const whole = batchStates.reduce((sum, state) => sum + counts[state], 0);
  const parts = batchStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${writeNumber(counts[state])} ${term(state)}`);
  return `${writeCount(whole, 'job')}: ${parts.join(', ')}`;
}

interface ShareBarProps {
  /** The amount of each part, by the CSS class that colours it. */
  readonly shares: Readonly<Record<string, number>>;
  /** Says in words what the bar shows. */
  readonly label: string;
}

export function ShareBar({ shares, label }: ShareBarProps) {
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
