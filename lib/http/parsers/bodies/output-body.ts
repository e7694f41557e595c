import { outputTailBytes } from '#lib/hpc/connector.ts';
import type { SentOutput } from '#lib/jobs/passes/create-output-taker.ts';
import { readBytes } from '../read-bytes.ts';
import type { BodyKind, RawRequest } from '../reading.ts';

const message =
  `It must be where the part begins in its stream and how many bytes it has, at most ${outputTailBytes}: ` +
  '`120,4096`. Both streams together are the body.';

/**
 * The ends of both streams of a job, one after the other. A request that names neither only asks
 * whether somebody follows the job.
 */
export const outputBody: BodyKind<SentOutput | undefined> = {
  forms: { contents: { 'application/octet-stream': 'bytes' }, required: false },
  read(request: RawRequest) {
    const query = new URLSearchParams(request.rawQueryString);
    const [stdout, stderr] = [query.get('stdout'), query.get('stderr')];
    if (stdout === null && stderr === null) return { output: undefined };
    const bytes = readBytes(request);
    const [out, err] = [readPart(stdout), readPart(stderr)];
    if (!out || !err || out.length + err.length !== bytes.length) {
      const names = (['stdout', 'stderr'] as const).map((name) => ({ name }));
      return { problems: names.map(({ name }) => ({ location: 'query', name, message })) };
    }
    const tail = {
      stdout: { from: out.from, bytes: bytes.subarray(0, out.length) },
      stderr: { from: err.from, bytes: bytes.subarray(out.length) },
    };
    return { output: { tail, isLast: query.get('last') === 'true' } };
  },
};

function readPart(text: string | null): { from: number; length: number } | undefined {
  const [, from, length] = /^([0-9]{1,15}),([0-9]{1,6})$/.exec(text ?? '') ?? [];
  if (from === undefined || length === undefined || Number(length) > outputTailBytes) {
    return undefined;
  }
  return { from: Number(from), length: Number(length) };
}
