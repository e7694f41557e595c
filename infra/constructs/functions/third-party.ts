import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** Written beside every bundle, because the licences of the packages in it ask for their text. */
export const licencesFile = 'THIRD-PARTY-LICENSES.txt';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** The copyright line, where the text that packages share doesn't contain it. */
  readonly copyright: string | undefined;
  /** The texts that the package ships, or the standard text of its licence. */
  readonly text: string;
}

/** Lists the packages that bundles really contain. Files that esbuild dropped don't count. */
export function listBundledPackages(...metafiles: readonly Metafile[]): BundledPackage[] {
  const folders = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(readPackage);
}

export function putLicences(folder: string, packages: readonly BundledPackage[]): void {
  writeFileSync(join(folder, licencesFile), writeLicences(packages));
}

/** Packages with the same text share it. */
export function writeLicences(packages: readonly BundledPackage[]): string {
  const groups = Map.groupBy(packages, ({ text }) => text);
  const sections = [...groups].map(([text, group]) => {
    const names = group.map(({ name, version, licence, copyright }) =>
      [`${name} ${version} (${licence})`, ...(copyright ? [copyright] : [])].join(', '),
    );
    return [...new Set(names), '', text].join('\n');
  });
  const heading = 'Slipway contains these packages, each under its own licence.';
  return `${[heading, ...sections].join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

const known = new Map<string, BundledPackage>();

/** Caches what was read, because all functions share most of their packages. */
export function readPackage(folder: string): BundledPackage {
  const cached = known.get(folder);
  if (cached) return cached;
  const path = join(root, folder);
  const manifest: Manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const { name, version, licenses: [former] = [] } = manifest;
  const { license: licence = former?.type ?? 'UNKNOWN' } = manifest;
  const files = readdirSync(path).filter((file) => textFile.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(path, file), 'utf8').trim()]));
  const own = files.find((file) => /^(licen[cs]e|copying)/i.test(file));
  const shipped = own === undefined ? undefined : texts.get(own);
  // The text of this licence is long and always the same, but for the copyright in its appendix.
  const isApache = licence === 'Apache-2.0';
  const others = [...texts].filter(([file]) => file !== own).map(([, text]) => text);
  const main = shipped === undefined || isApache ? writeStandardText(manifest) : shipped;
  const read = {
    name,
    version,
    licence,
    copyright: isApache ? /^ *(Copyright \d.*)$/m.exec(shipped ?? '')?.[1]?.trim() : undefined,
    text: [...others, main].join('\n\n'),
  };
  known.set(folder, read);
  return read;
}

/** Licences, notices, and the texts of packages that a package has bundled itself. */
const textFile = /^(licen[cs]e|copying|notice)|\.licen[cs]e\.txt$/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** As older packages write it. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name: string };
}

/** Returns the text of a licence that a package names without shipping its text. */
function writeStandardText({ name, license, author }: Manifest): string {
  if (license === 'Apache-2.0') return readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  if (license !== 'MIT') throw new Error(`${name} ships no text of its licence ${license}.`);
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`);
  return `Copyright (c) ${holder.replace(/ *[<(].*$/, '')}\n\n${mit}`;
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
