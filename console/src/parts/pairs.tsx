import type { ComponentChildren } from 'preact';

interface Pair {
  readonly name: string;
  readonly value: ComponentChildren;
  /** Shown on hover. */
  readonly title?: string;
}

/** Lists facts, each with its name. */
export function Pairs({ of }: { readonly of: readonly Pair[] }) {
  return (
    <dl class="pairs">
      {of.map(({ name, value, title }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={title}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
