import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';

export interface Page {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Reads the pages at the root and all pages below docs/. */
export function readPages(): Page[] {
  const below = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => posix.join('docs', file));
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...below].map((path) => ({
    path,
    text: readFileSync(path, 'utf8'),
  }));
}

export interface Link {
  /** As written in the page. */
  readonly written: string;
  /** The file or folder it leads to, from the root of the repository. */
  readonly path: string;
  readonly anchor: string | undefined;
}

/** Lists links and pictures within the repository, except those in code. */
export function linksOf({ path, text }: Page): Link[] {
  const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '').replaceAll(/`[^`\n]*`/g, 'code');
  const written = [
    ...prose.matchAll(/\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g),
    ...prose.matchAll(/\bsrc(?:set)?="([^"]+)"/g),
  ].map(([, target = '']) => target);
  return written
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor] = target.split('#');
      const lead = file === '' ? path : posix.join(posix.dirname(path), file);
      return { written: target, path: lead.replace(/\/$/, ''), anchor };
    });
}

/** Lists the anchors of a page: of its headings, as GitHub makes them, and its own marks. */
export function anchorsOf({ text }: Page): string[] {
  const prose = text.replaceAll(/^ *```.*?^ *```$/gms, '');
  const seen = new Map<string, number>();
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  const marks = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...headings, ...marks];
}

/** Lists dead links, each as `page: link`. */
export function findDeadLinks(pages: readonly Page[]): string[] {
  return pages.flatMap((page) =>
    linksOf(page)
      .filter(({ path, anchor }) => !existsSync(path) || !hasAnchor(path, anchor, pages))
      .map(({ written }) => `${page.path}: ${written}`),
  );
}

function hasAnchor(path: string, anchor: string | undefined, pages: readonly Page[]): boolean {
  if (anchor === undefined) return true;
  const page = pages.find((each) => each.path === path);
  return page !== undefined && anchorsOf(page).includes(anchor);
}

/** Lists the files that a page links to; a link to a folder counts for all its files. */
export function leadsTo(page: Page): string[] {
  return linksOf(page).flatMap(({ path }) =>
    existsSync(path) && statSync(path).isDirectory()
      ? readdirSync(path).map((file) => posix.join(path, file))
      : [path],
  );
}
