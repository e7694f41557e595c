import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { BodyTooLargeError, type FieldProblem, UnsupportedBodyError } from '../errors.ts';

export interface ZipBody {
  readonly bytes: number;
  readonly sha256: string;
}

/** Lambda takes events of 6 MB; base64 makes 4 bytes of 3, and the headers need their room. */
export const maxZipBytes = 4_500_000;

/** A local file header, an empty archive, a spanned archive. */
const signatures = ['504b0304', '504b0506', '504b0708'];

/** The bytes of the zip as they are. No body is a job without input. */
export function parseZip(
  event: APIGatewayProxyEventV2,
  problems: FieldProblem[],
): ZipBody | undefined {
  const content = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (content.length > maxZipBytes) throw new BodyTooLargeError(content.length, maxZipBytes);
  if (content.length > 0) refuseMangledBody(event);
  if (content.length > 0 && !signatures.includes(content.toString('hex', 0, 4))) {
    problems.push({ location: 'body', name: 'body', message: 'It is not a zip file.' });
    return undefined;
  }
  return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
}

/**
 * The gateway hands on a body of a textual type as text, and whatever is no UTF-8 in it is lost;
 * a multipart body wraps the zip in something else.
 */
function refuseMangledBody(event: APIGatewayProxyEventV2): void {
  const contentType = event.headers['content-type'] ?? '';
  if (!event.isBase64Encoded || /^multipart\//i.test(contentType)) {
    throw new UnsupportedBodyError(contentType);
  }
}
