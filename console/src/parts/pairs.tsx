import type { ComponentChildren } from 'preact';

/** A fact by its name. The title is shown on hover. */
export type Pair = readonly [name: string, value: ComponentChildren, title?: string | undefined];

/** Lists facts, each with its name. */
export function Pairs({ of }: { readonly of: readonly (Pair | false)[] }) {
  return (
    <dl class="pairs">
      {of
        .filter((pair) => pair !== false)
        .map(([name, value, title]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={title}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
