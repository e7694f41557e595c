import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { okReference } from '#lib/http/ok-reference.ts';
import { acceptEncoding } from '#lib/http/parsers/accept-encoding.ts';
import { readReferenceFile } from '#lib/reference/read-reference-file.ts';
import type { ReferenceFile } from '#lib/reference/reference-file.ts';
import { endpoints } from '../endpoints.ts';

const endpoint = endpoints['read-reference'];

export const handler = publicHandler(endpoints, endpoint, {
  page: serve(endpoint.paths.page, 'index.html'),
  script: serve(endpoint.paths.script, 'reference.js'),
  style: serve(endpoint.paths.style, 'reference.css'),
  description: serve(endpoint.paths.description, 'openapi.json'),
});

function serve<Path extends string>(path: Path, file: ReferenceFile) {
  const reads = { headers: acceptEncoding, query: 'ignored' } as const;
  return answerAnybody(path, reads, async ({ headers: { coding } }) =>
    okReference(file, readReferenceFile(file, coding), coding),
  );
}
