import * as v from 'valibot';
import { maxUploadBytes } from '#lib/files/uploads/upload.ts';
import { zipName } from '../submission/file-name.ts';
import { jsonBody } from './json-body.ts';

const wrongLength = `It must be a whole number of bytes from 1 to ${maxUploadBytes}.`;

/** What file is going to be sent. */
export const uploadBody = jsonBody(
  v.pipe(
    v.object({
      filename: zipName,
      length: v.pipe(
        v.number(wrongLength),
        v.integer(wrongLength),
        v.minValue(1, wrongLength),
        v.maxValue(maxUploadBytes, wrongLength),
      ),
    }),
    v.transform(({ filename: fileName, length: bytes }) => ({ fileName, bytes })),
  ),
);
