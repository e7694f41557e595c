import { ServiceUnreachable } from '../problems/errors.ts';
import type { Settings } from './settings.ts';

/**
 * A list: awaited, it is one page; gone through with `for await`, it is all of it, page by page.
 */
export interface Paged<Item> extends PromiseLike<Item[]>, AsyncIterable<Item> {
  /** Each page as it comes. */
  pages(): AsyncIterable<Item[]>;
}

export interface Page<Item> {
  readonly items: Item[];
  /** The path of the next page, with its query. */
  readonly next: string | undefined;
}

type PageLimit = Pick<Settings, 'maxPages'>;

const usualPages = 10_000;

/** Reads page by page, until one does not point on. A list without an end is a fault, or worse. */
export async function* walkPages<Page extends { readonly next: string | undefined }>(
  first: string,
  read: (path: string) => Promise<Page>,
  { maxPages = usualPages }: PageLimit = {},
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let path: string | undefined = first; path !== undefined; ) {
    if (seen.has(path) || seen.size >= maxPages) {
      throw new ServiceUnreachable(`The list ${first} does not end`);
    }
    seen.add(path);
    const page: Page = await read(path);
    yield page;
    path = page.next;
  }
}

export function createPaged<Item>(
  first: string,
  read: (path: string) => Promise<Page<Item>>,
  limit?: PageLimit,
): Paged<Item> {
  async function* pages(): AsyncGenerator<Item[]> {
    for await (const { items } of walkPages(first, read, limit)) yield items;
  }
  return {
    pages,
    // biome-ignore lint/suspicious/noThenProperty: a list that is awaited is its first page.
    then: (fulfilled, rejected) =>
      read(first)
        .then(({ items }) => items)
        .then(fulfilled, rejected),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
  };
}

/** RFC 8288. The address is that of the service as it sees itself; the path is what counts. */
export function readNext(link: string | null): string | undefined {
  const address = /<([^>]+)>\s*;\s*rel="next"/.exec(link ?? '')?.[1];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
