import * as v from 'valibot';
import { judgeKey } from '#lib/catalog/bucket-addresses.ts';
import { passQuery } from './handover.ts';

const fileNumber = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,3}$/, 'It must be the number of a file of the job, from 0.'),
  v.transform(Number),
);

const wrongFile = 'It must be the path of a file in the folder of the job, in UTF-8.';

function isPlain(file: string): boolean {
  return judgeKey(file) === undefined && !file.includes('\u{fffd}');
}

/** `number` is that of an input of the job, from 0. */
export const fetchQuery = v.object({ ...passQuery.entries, number: fileNumber });

/**
 * `number` is that of an output of the job, from 0. The rest is about one file of it: its path in the
 * folder of the job, its length, and its hash.
 */
export const sendQuery = v.object({
  ...passQuery.entries,
  number: fileNumber,
  file: v.pipe(
    v.string(),
    v.nonEmpty(wrongFile),
    v.check((file) => file === '' || isPlain(file), wrongFile),
  ),
  length: v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,10}$/, 'It must be the number of bytes to send.'),
    v.transform(Number),
  ),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'It must be 64 hexadecimal digits.')),
});
