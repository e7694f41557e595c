import { parseObject, send } from '../calls/send.ts';
import { sendFile } from '../calls/send-file.ts';
import type { Settings } from '../calls/settings.ts';
import type { Upload } from '../generated/operations.ts';
import { nameOf, type Submission } from './submission.ts';

/** Unused uploads are removed, so a retry does no harm. */
export async function upload(
  settings: Settings,
  submission: Submission,
  blob: Blob,
): Promise<string> {
  const filename = nameOf(submission);
  const file = { ...submission, filename, blob };
  const sent = await settings.sendParts?.(settings, file);
  if (sent) return sent;
  const answer = await send(settings, {
    method: 'POST',
    path: '/uploads/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filename, length: blob.size }),
    signal: file.signal,
    repeatable: true,
  });
  const { upload_id: id, address, headers } = parseObject<Upload>(answer, 'address');
  await sendFile(settings, { ...file, address, headers });
  return id;
}
