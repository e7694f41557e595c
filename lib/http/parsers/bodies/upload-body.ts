import * as v from 'valibot';
import { maxObjectBytes } from '#lib/files/storage/direct-store.ts';
import { zipName } from '../submission/file-name.ts';
import { jsonBody } from './json-body.ts';

const wrongLength = `It must be a whole number of bytes from 1 to ${maxObjectBytes}.`;

/** What file is going to be sent. */
export const uploadBody = jsonBody(
  v.pipe(
    v.object({
      filename: zipName,
      length: v.pipe(
        v.number(wrongLength),
        v.integer(wrongLength),
        v.minValue(1, wrongLength),
        v.maxValue(maxObjectBytes, wrongLength),
      ),
    }),
    v.transform(({ filename: fileName, length: bytes }) => ({ fileName, bytes })),
  ),
);
