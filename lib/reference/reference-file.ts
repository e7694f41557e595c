/** What the reference is made of, by the names under which the files are kept. */
export const referenceFiles = [
  'openapi.json',
  'index.html',
  'reference.js',
  'reference.css',
] as const;

export type ReferenceFile = (typeof referenceFiles)[number];

/** How bytes are packed on their way, in the words of HTTP: the smallest first. */
export const codings = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof codings)[number];

/** The name of a packed file beside a bundle. */
export function packedName(file: ReferenceFile, coding: Coding): string {
  return `${file}.${coding}`;
}
