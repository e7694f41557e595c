import { ServiceUnreachable } from '../problems/errors.ts';
import type { Settings } from './settings.ts';

/** A list. Awaiting it returns one page; `for await` goes through all pages. */
export interface Paged<Item> extends PromiseLike<Item[]>, AsyncIterable<Item> {
  /** Yields each page. */
  pages(): AsyncIterable<Item[]>;
}

export interface Page<Item> {
  readonly items: Item[];
  /** The path of the next page, with its query. */
  readonly next: string | undefined;
}

type PageLimit = Pick<Settings, 'maxPages'>;

const usualPages = 10_000;

/**
 * Reads page by page until there is no next one. Refuses a list that never ends, which is a fault
 * or an attack.
 */
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

/**
 * Reads the path of the next page from a Link header (RFC 8288). Ignores its host, which may be an
 * internal name.
 */
export function readNext(link: string | null): string | undefined {
  const address = /<([^>]+)>\s*;\s*rel="next"/.exec(link ?? '')?.[1];
  if (address === undefined) return undefined;
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
