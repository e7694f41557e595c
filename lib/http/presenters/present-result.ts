import { isUtf8 } from 'node:buffer';
import type { JobResult } from '#lib/batches/read-results.ts';
import type { NamedFile } from '#lib/files/results/job-file.ts';

/** Names the job and what became of its file, with the content if it is included. */
export function presentResult({ job, place, result }: JobResult) {
  return {
    place,
    index: job.batch?.index ?? place,
    job_id: job.jobId,
    stage: job.stage,
    terminal_stage: job.terminal,
    failed: job.failed,
    state: result.state,
    ...('file' in result && presentFound(result.file)),
    ...('content' in result && presentContent(result.content)),
  };
}

function presentFound({ id, name, bytes, startsAt }: NamedFile) {
  return {
    fileid: id,
    filename: name,
    length: bytes,
    ...(startsAt !== undefined && { starts_at: startsAt }),
  };
}

/** Text that is not UTF-8 would be changed by JSON. */
function presentContent(content: Uint8Array) {
  const isText = isUtf8(content);
  return {
    encoding: isText ? 'utf-8' : 'base64',
    content: Buffer.from(content).toString(isText ? 'utf8' : 'base64'),
  };
}
