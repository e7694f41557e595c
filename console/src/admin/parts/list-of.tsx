import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Paged } from '#client/src/index.ts';
import { Waiting } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';

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

interface Pages<Item> {
  /** Nothing until the first page. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  showMore(): void;
  /** From the beginning. */
  refresh(): void;
}

interface Read<Item> {
  readonly key: string;
  readonly items?: readonly Item[];
  /** What comes next, read ahead: whether there is a next page is only known then. */
  readonly ahead?: readonly Item[] | undefined;
  readonly error?: unknown;
}

/** A list page by page, as far as somebody wants to see it. `key` says which list. */
export function usePages<Item>(
  key: string,
  list: (signal: AbortSignal) => Paged<Item>,
): Pages<Item> {
  const [round, setRound] = useState(0);
  const [read, setRead] = useState<Read<Item>>({ key });
  const reading = useRef<AsyncIterator<Item[]> | undefined>(undefined);
  const leaving = useRef(new AbortController());
  const readAhead = async (items: readonly Item[]) => {
    const { signal } = leaving.current;
    const ahead = await readFilledPage(reading.current);
    if (!signal.aborted) setRead({ key, items, ahead });
  };
  const attempt = (step: () => Promise<void>) => {
    const { signal } = leaving.current;
    step().catch((error: unknown) => {
      if (!signal.aborted) setRead((before) => ({ ...before, key, error }));
    });
  };
  useEffect(() => {
    leaving.current = new AbortController();
    const { signal } = leaving.current;
    reading.current = list(signal).pages()[Symbol.asyncIterator]();
    attempt(async () => {
      const items = (await readFilledPage(reading.current)) ?? [];
      if (signal.aborted) return;
      setRead({ key, items });
      await readAhead(items);
    });
    return () => leaving.current.abort();
  }, [key, round]);
  const current = read.key === key ? read : { key };
  return {
    items: current.items,
    error: current.error,
    hasMore: current.ahead !== undefined,
    showMore: () => {
      const { items = [], ahead = [] } = current;
      const together = [...items, ...ahead];
      setRead({ key, items: together });
      attempt(() => readAhead(together));
    },
    refresh: () => setRound((before) => before + 1),
  };
}

/** Pages may be empty and lead on all the same. */
async function readFilledPage<Item>(
  pages: AsyncIterator<Item[]> | undefined,
): Promise<Item[] | undefined> {
  for (;;) {
    const next = await pages?.next();
    if (!next || next.done) return undefined;
    if (next.value.length > 0) return next.value;
  }
}
