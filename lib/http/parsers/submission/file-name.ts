import { parse } from 'content-disposition';
import * as v from 'valibot';
import { isHonest } from '../honest-text.ts';
import { decodeHeader } from './decode-header.ts';

const maxLength = 255;

/** The name of a zip, wherever it was said; of several problems the first is told. */
export const zipName = v.config(
  v.pipe(
    v.string('It must be text.'),
    v.maxLength(maxLength, `The file name is longer than ${maxLength} characters.`),
    v.check(isPlainName, 'The file name must be a plain name without a path.'),
    v.regex(/[^.]\.zip$/i, 'The file name must end in .zip.'),
  ),
  { abortPipeEarly: true },
);

/** `Content-Disposition: attachment; filename=<file.zip>`, in any form that RFC 6266 allows. */
export const contentDisposition = v.pipe(
  v.optional(v.string(), ''),
  v.check((text) => text.trim() !== '', 'This header is required: attachment; filename=<file.zip>'),
  v.transform((text) => readAttachment(decodeHeader(text))),
  v.minLength(1, 'It must be of the form: attachment; filename=<file.zip>'),
  zipName,
);

/** The name of the file; empty where the header is of another form. */
function readAttachment(header: string): string {
  const { type, parameters } = parse(header);
  return (type === 'attachment' && parameters.filename) || '';
}

/** The name ends up in a directory of a supercomputer: no separator of any system, nothing hidden. */
function isPlainName(name: string): boolean {
  return !/[\p{Cc}/\\:]/u.test(name) && !name.startsWith('.') && isHonest(name);
}
