import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { UnsafeZipError } from '#lib/files/errors.ts';
import { inspectZip } from '#lib/files/zips/inspect-zip.ts';
import type { InputSource } from '#lib/jobs/submit/submission.ts';
import { BodyTooLargeError, type FieldProblem, UnsupportedBodyError } from '../errors.ts';

/** Lambda takes events of 6 MB; base64 makes 4 bytes of 3, and the headers need their room. */
export const maxZipBytes = 4_500_000;

/** The bytes of the zip as they are. No body is a job without input. */
export async function parseZip(
  event: APIGatewayProxyEventV2,
  problems: FieldProblem[],
): Promise<InputSource | undefined> {
  const content = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (content.length > maxZipBytes) throw new BodyTooLargeError(content.length, maxZipBytes);
  if (content.length === 0) return { kind: 'none' };
  refuseMangledBody(event);
  try {
    await inspectZip(content);
  } catch (error) {
    if (!(error instanceof UnsafeZipError)) throw error;
    for (const message of error.problems) {
      problems.push({ location: 'body', name: 'body', message });
    }
    return undefined;
  }
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { kind: 'inline', content, sha256 };
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
