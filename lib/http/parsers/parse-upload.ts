import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { UploadWish } from '#lib/files/uploads/create-upload.ts';
import { maxUploadBytes } from '#lib/files/uploads/upload.ts';
import type { Caller } from '../caller.ts';
import { findNameProblem } from './parse-file-name.ts';
import { parseJsonBody } from './parse-json-body.ts';

const wrongLength = `It must be a whole number of bytes from 1 to ${maxUploadBytes}.`;

const UploadBody = v.object({
  filename: v.pipe(
    v.string('It must be text.'),
    v.check(
      (name) => findNameProblem(name) === undefined,
      ({ input }) => findNameProblem(input) ?? '',
    ),
  ),
  length: v.pipe(
    v.number(wrongLength),
    v.integer(wrongLength),
    v.minValue(1, wrongLength),
    v.maxValue(maxUploadBytes, wrongLength),
  ),
});

export function parseUpload(caller: Caller, event: APIGatewayProxyEventV2): UploadWish {
  const { filename, length } = parseJsonBody(UploadBody, event);
  return { owner: caller.userId, fileName: filename, bytes: length };
}
