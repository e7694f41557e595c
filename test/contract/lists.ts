import { expect } from 'vitest';
import { type Answer, ask } from './ask.ts';
import { expectJobs, type Job } from './shapes.ts';
import type { Account, Target } from './target.ts';

export interface Page {
  readonly jobs: Job[];
  /** The address of the next page, where there is one. */
  readonly next: string | undefined;
}

export async function readPage(target: Target, { token }: Account, path: string): Promise<Page> {
  const answer = await ask(target, { path, token });
  return { jobs: expectJobs(answer), next: nextOf(answer) };
}

/** Follows `Link` to the end; more pages than the limit mean that there is none. */
export async function readPages(
  target: Target,
  account: Account,
  path: string,
  maxPages = 50,
): Promise<Page[]> {
  const pages: Page[] = [];
  let next: string | undefined = path;
  while (next !== undefined && pages.length < maxPages) {
    const page: Page = await readPage(target, account, next);
    pages.push(page);
    next = page.next;
  }
  return pages;
}

/** All that a list holds. */
export async function readList(
  target: Target,
  account: Account,
  path: string,
  maxPages?: number,
): Promise<Job[]> {
  const pages = await readPages(target, account, path, maxPages);
  return pages.flatMap(({ jobs }) => jobs);
}

/** RFC 8288. */
function nextOf({ headers }: Answer): string | undefined {
  const link = headers.get('link');
  if (link === null) return undefined;
  expect(link).toMatch(/^<[^<>\s]+>; rel="next"$/);
  return link.slice(1, link.indexOf('>'));
}
