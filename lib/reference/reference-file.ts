/** The files of the reference, by the names under which they are stored. */
export const referenceFiles = [
  'openapi.json',
  'index.html',
  'reference.js',
  'reference.css',
] as const;

export type ReferenceFile = (typeof referenceFiles)[number];

/** Content codings of HTTP, smallest first. */
export const codings = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof codings)[number];

export function packedName(file: ReferenceFile, coding: Coding): string {
  return `${file}.${coding}`;
}
