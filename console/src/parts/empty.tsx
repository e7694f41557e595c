import type { ComponentChildren } from 'preact';

/** Where there is nothing yet: what to do about it. */
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

/** The shape of what will be there: nothing jumps when it comes. */
export function Waiting({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
