import type { ComponentChildren } from 'preact';
import { ProblemNote } from './problem-note.tsx';

interface LoadingProps {
  readonly value: unknown;
  readonly error: unknown;
  readonly refresh: () => void;
  readonly rows?: number;
}

/** Shows a skeleton until the value arrives, or why it could not be loaded. */
export function Loading({ value, error, refresh, rows = 3 }: LoadingProps) {
  if (error !== undefined) return <ProblemNote error={error} onRetry={refresh} />;
  return value === undefined ? <Skeleton rows={rows} /> : null;
}

/** Takes the shape of the coming content, so that nothing jumps when it arrives. */
export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}

/** Says that a list is empty, and what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}
