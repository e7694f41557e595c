import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface BlankProps {
  /** What belongs there, for whoever does not see the sentence around it. */
  readonly label: string;
  readonly error: string | undefined;
  /** How wide it begins, in characters. */
  readonly wide?: number;
  readonly children: (ids: {
    readonly 'aria-label': string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
    readonly size: number;
  }) => ComponentChildren;
}

/** A place in a sentence where something is written; what is wrong with it stands below it. */
export function Blank({ label, error, wide = 14, children }: BlankProps) {
  const id = useId();
  return (
    <span class={error === undefined ? 'blank' : 'blank wrong'}>
      {children({
        'aria-label': label,
        'aria-describedby': id,
        'aria-invalid': error !== undefined,
        size: wide,
      })}
      <small id={id}>{error}</small>
    </span>
  );
}
