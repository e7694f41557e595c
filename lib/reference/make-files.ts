import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { readProblems, writeProblemSection } from './problem-section.ts';
import type { Coding, ReferenceFile } from './reference-file.ts';

const root = join(import.meta.dirname, '../..');
const renderer = join(root, 'node_modules/swagger-ui-dist');
const own = join(import.meta.dirname, 'page');

/** Builds all files of the reference from the description of the API and the published renderer. */
export function makeFiles(): Readonly<Record<ReferenceFile, Uint8Array>> {
  const script = joinTexts(
    join(renderer, 'NOTICE'),
    join(renderer, 'swagger-ui-bundle.js'),
    join(own, 'start.js'),
  );
  const style = joinTexts(
    join(renderer, 'NOTICE'),
    join(renderer, 'swagger-ui.css'),
    join(own, 'look.css'),
  );
  const problems = readProblems(readText(join(root, 'docs/problems.md')));
  const page = readText(join(own, 'index.html'))
    .replace('<!-- problems -->', () => writeProblemSection(problems))
    .replace('reference.js', `reference.js?v=${tagOf(script)}`)
    .replace('reference.css', `reference.css?v=${tagOf(style)}`);
  const description: unknown = JSON.parse(readText(join(root, 'docs/openapi.json')));
  return {
    'openapi.json': Buffer.from(JSON.stringify(description)),
    'index.html': Buffer.from(page),
    'reference.js': Buffer.from(script),
    'reference.css': Buffer.from(style),
  };
}

/** Keeps the renderer's licence notice, and drops its source maps. */
function joinTexts(notice: string, ...files: readonly string[]): string {
  const texts = files.map(readText).map((text) => text.replace(/\/\*# sourceMappingURL=.*/, ''));
  return [`/*!\n${readText(notice)}\nLicensed under the Apache License 2.0\n*/`, ...texts].join(
    '\n',
  );
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
