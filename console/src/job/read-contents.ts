import type { FileOfJob, JobFile, Slipway } from '#client/src/index.ts';
import { phrase } from './words.ts';

/** The contents of a file, in the way in which they are shown. */
export type Contents =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly text: string; readonly separator: string }
  | { readonly kind: 'image'; readonly blob: Blob }
  | { readonly kind: 'json'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'pdf'; readonly blob: Blob }
  | { readonly kind: 'other'; readonly reason: string };

/** More would take too much memory. */
const mostBytes = 20_000_000;

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/**
 * Reads a file if it can be shown. Jobs write whatever they like, so the name of a file only chooses
 * between ways to show it that are all harmless.
 */
export async function readContents(
  service: Slipway,
  place: FileOfJob,
  { filename, length, starts_at: startsAt }: JobFile,
  signal: AbortSignal,
): Promise<Contents> {
  if (length > mostBytes) return other(phrase('tooLarge'));
  const ending = filename.split('.').at(-1)?.toLowerCase() ?? '';
  const type = imageTypes[ending];
  if (type !== undefined && startsAt !== undefined) return other(phrase('pictureLater'));
  const response = await service.readFile(place, { signal });
  if (type !== undefined) {
    return { kind: 'image', blob: new Blob([await response.arrayBuffer()], { type }) };
  }
  const bytes = ending === 'pdf' ? await response.arrayBuffer() : undefined;
  if (bytes && isPdf(bytes)) {
    return { kind: 'pdf', blob: new Blob([bytes], { type: 'application/pdf' }) };
  }
  const text = await readText(bytes ? new Response(bytes) : response);
  if (text === undefined) return other(phrase('notText'));
  const separator = startsAt === undefined ? findSeparator(ending, text) : undefined;
  if (separator !== undefined) return { kind: 'table', text, separator };
  const value = ending === 'json' && startsAt === undefined ? parseJson(text) : undefined;
  return value === undefined ? { kind: 'text', text } : { kind: 'json', text, value };
}

/** More would take too long to read, and to fold. */
const mostJson = 5_000_000;

/** Returns undefined unless it is an object or a list, which is worth folding. */
export function parseJson(text: string): object | undefined {
  if (text.length > mostJson) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks how the file begins, because the browser opens it in a tab of its own. */
function isPdf(bytes: ArrayBuffer): boolean {
  return new TextDecoder().decode(bytes.slice(0, 5)) === '%PDF-';
}

function other(reason: string): Contents {
  return { kind: 'other', reason };
}

/**
 * Returns undefined for bytes with a zero, which are something else than text, and loads no more of
 * them.
 */
export async function readText({ body }: Response): Promise<string | undefined> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    if (value.includes(0)) {
      void reader?.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Enough of a line to tell what separates its cells. */
const longestHead = 10_000;

/** Finds what separates the cells of a table. Returns undefined if the file is not a table. */
export function findSeparator(ending: string, text: string): string | undefined {
  if (ending === 'tsv') return '\t';
  if (ending !== 'csv') return undefined;
  const [head = ''] = text.slice(0, longestHead).split('\n', 1);
  const count = (separator: string) => head.split(separator).length;
  // Programs of some countries write semicolons, because they write a comma in numbers.
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}
