import type { ZipEntry } from '#test/fixtures/build-zip.ts';

/** As Unix writes it: a file that is a link. */
const linkMode = 0o120777;

/** Entries that would put something outside of the folder that a zip is unpacked into. */
export const unsafeEntries: Readonly<Record<string, ZipEntry>> = {
  'a way up': { name: '../escaped.txt', content: 'out' },
  'a way up in the middle': { name: 'a/../../escaped.txt', content: 'out' },
  'an absolute name': { name: '/tmp/slipway-escaped.txt', content: 'out' },
  'a link': { name: 'link', content: '/etc/passwd', mode: linkMode },
};
