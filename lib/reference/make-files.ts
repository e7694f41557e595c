import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { readDescription } from './description.ts';
import { readProblems } from './problem-section.ts';
import type { Coding, ReferenceFile } from './reference-file.ts';
import { writePage } from './write-page.ts';

const root = join(import.meta.dirname, '../..');
const own = join(import.meta.dirname, 'page');

/** Builds all files of the reference from the description of the API and the table of problems. */
export function makeFiles(): Readonly<Record<ReferenceFile, Uint8Array>> {
  // The page has the colours of the console.
  const style = ['console/src/style/tokens.css', 'lib/reference/page/look.css']
    .map((file) => readText(join(root, file)))
    .join('\n');
  const description: unknown = JSON.parse(readText(join(root, 'docs/openapi.json')));
  const problems = readProblems(readText(join(root, 'docs/problems.md')));
  const { body, contents } = writePage(readDescription(description), problems);
  const script = readText(join(own, 'reference.js')).replace(
    '/* contents */',
    () => `const contents = ${JSON.stringify(contents)};`,
  );
  const page = readText(join(own, 'index.html'))
    .replace('<!-- page -->', () => body.text)
    .replace('reference.js', `reference.js?v=${tagOf(script)}`)
    .replace('reference.css', `reference.css?v=${tagOf(style)}`);
  return {
    'openapi.json': Buffer.from(JSON.stringify(description)),
    'index.html': Buffer.from(page),
    'reference.js': Buffer.from(script),
    'reference.css': Buffer.from(style),
  };
}

function readText(path: string): string {
  return readFileSync(path, 'utf8').trim();
}

/** Returns a tag for URLs that are cached for a year, so new content gets a new URL. */
function tagOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 12);
}

/**
 * `small` takes seconds for a megabyte, so use it for files that are packed once. `soon` is fast.
 */
type Effort = 'small' | 'soon';

const brotliQuality: Readonly<Record<Effort, number>> = { small: 11, soon: 4 };
const gzipLevel: Readonly<Record<Effort, number>> = { small: 9, soon: 4 };

export function packBytes(bytes: Uint8Array, coding: Coding, effort: Effort): Uint8Array {
  switch (coding) {
    case 'br':
      return brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality[effort] },
      });
    case 'gzip':
      return gzipSync(bytes, { level: gzipLevel[effort] });
    case 'identity':
      return bytes;
  }
}
