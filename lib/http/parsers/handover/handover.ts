import * as v from 'valibot';
import { outputTailBytes } from '#lib/hpc/connector.ts';
import { mostListBytes } from '#lib/hpc/script/keep-folder.ts';
import type { SentOutput } from '#lib/jobs/passes/create-output-taker.ts';
import { type BodyKind, type RawRequest, readBytes } from '../reading.ts';

/** A missing pass is treated as an invalid one, so that the answer reveals nothing. */
const pass = v.optional(v.string(), '');

export const passQuery = v.object({ pass });

/** `run` is the id that the system gave to the run that asks, `task` its number in an array. */
export const scriptQuery = v.object({
  pass,
  run: v.pipe(v.string(), v.regex(/^[\w:-]{1,128}$/, 'It must be the id of the run.')),
  task: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,5}$/, 'It must be the number of a task.'),
      v.transform(Number),
    ),
  ),
});

const seconds = v.optional(
  v.pipe(v.string(), v.regex(/^[0-9]{1,9}$/, 'It must be whole seconds.'), v.transform(Number)),
  '0',
);

/** The number of the run that sends, from 1. A system may start a job more than once. */
const runNumber = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[1-9][0-9]{0,2}$/, 'It must be the number of the run, from 1 to 999.'),
    v.transform(Number),
  ),
  '1',
);

/**
 * Allows `bytes`, which announcedBytes reads together with the body. `before` counts the seconds
 * from the start of the run until its command ran, `after` those since its command ended. `cut` says
 * that the run did not end well.
 */
export const resultsQuery = v.pipe(
  v.object({
    pass,
    bytes: v.optional(v.string()),
    before: seconds,
    after: seconds,
    run_number: runNumber,
    cut: v.optional(v.literal('true')),
  }),
  v.transform(({ cut, run_number: run, ...query }) => ({ ...query, run, isCut: cut === 'true' })),
);

/** Allows `stdout`, `stderr` and `last`, which outputBody reads together with the body. */
export const outputQuery = v.object({
  pass,
  run_number: runNumber,
  stdout: v.optional(v.string()),
  stderr: v.optional(v.string()),
  last: v.optional(v.literal('true')),
});

const wrongBytes =
  'It must be the number of bytes to send: a whole number from 1. A request with a body may leave it out.';

/**
 * Reads how many bytes the job will send to the address in the answer. The gateway accepts no large
 * body, so a job announces the size in the query; with a body, its Content-Length is enough.
 */
export const announcedBytes: BodyKind<number> = {
  read({ headers, rawQueryString }) {
    const given = new URLSearchParams(rawQueryString).get('bytes') ?? headers['content-length'];
    if (/^[1-9][0-9]{0,14}$/.test(given ?? '')) return { output: Number(given) };
    return { problems: [{ location: 'query', name: 'bytes', message: wrongBytes }] };
  },
};

const wrongPart =
  `It must be the position of the part in its stream and its length in bytes, at most ${outputTailBytes}: ` +
  '`120,4096`. The body holds both streams, one after the other.';

/**
 * Reads the ends of a job's two streams, one after the other. A request that names neither stream
 * only asks whether somebody follows the job.
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
      const names = ['stdout', 'stderr'];
      return { problems: names.map((name) => ({ location: 'query', name, message: wrongPart })) };
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

const amount = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,15}$/, 'It must be a whole number.'),
  v.transform(Number),
);

/** What a job saw in the folder of its project: the bytes of all files, and how many they are. */
export const folderQuery = v.pipe(
  v.object({ pass, length: amount, files: amount }),
  v.transform(({ length: bytes, ...query }) => ({ ...query, bytes })),
);

/** Of each file its size, a space, its path and a NUL. Empty if it would be too long. */
export const folderList: BodyKind<Uint8Array> = {
  forms: { contents: { 'application/octet-stream': 'bytes' }, required: false },
  read(request) {
    const output = readBytes(request);
    if (output.length <= mostListBytes) return { output };
    const message = `It may have ${mostListBytes} bytes.`;
    return { problems: [{ location: 'body', name: 'body', message }] };
  },
};
