import type { ComponentChildren } from 'preact';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import type { Pages } from './use-pages.ts';

interface ListOfProps<Item> {
  readonly pages: Pages<Item>;
  /** Where there is nothing. */
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** A list as it comes: its shape, what is in it, and a button for more. */
export function ListOf<Item>({ pages, empty, children }: ListOfProps<Item>) {
  const { items, error, hasMore, showMore, refresh } = pages;
  return (
    <>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {items === undefined && error === undefined && <Waiting rows={5} />}
      {items?.length === 0 && empty}
      {items !== undefined && items.length > 0 && children(items)}
      {hasMore && (
        <p>
          <button type="button" onClick={showMore}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
