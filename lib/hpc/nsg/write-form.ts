import { randomUUID } from 'node:crypto';
import { type ByteSource, streamBytes, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { roundUp } from '#lib/time/round-up.ts';
import type { JobInput, JobOrder } from '../connector.ts';

/** A form has plain fields and at most one file after them. */
export interface Form {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly file?: FormFile;
}

export interface FormFile extends ByteSource {
  readonly field: string;
  readonly fileName: string;
  readonly type: string;
}

/**
 * Writes multipart/form-data by hand, because the platform's own keeps files in memory. The length is
 * known before the first byte, because the file's length is.
 */
export function writeForm({ fields, file }: Form) {
  // Random, so that no value can contain it on purpose.
  const boundary = `slipway-${randomUUID()}`;
  const beginPart = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const texts = fields.map(
    ([name, value]) => `${beginPart(`name="${name}"`)}\r\n${writeLines(value)}\r\n`,
  );
  const beginFile = ({ field, fileName, type }: FormFile) =>
    `${beginPart(`name="${field}"; filename="${quote(fileName)}"`)}Content-Type: ${type}\r\n\r\n`;
  const end = `--${boundary}--\r\n`;
  const body: ByteSource = {
    async open() {
      if (!file) return streamText([...texts, end].join(''));
      const before = Buffer.from([...texts, beginFile(file)].join(''));
      const behind = Buffer.from(`\r\n${end}`);
      const { bytes, stream } = await file.open();
      return {
        bytes: before.length + bytes + behind.length,
        stream: streamPieces(
          joinPieces(before, stream, behind),
          () => void stream.cancel().catch(() => undefined),
        ),
      };
    },
  };
  return { headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body };
}

async function* joinPieces(
  before: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
  behind: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield before;
  yield* pieces;
  yield behind;
}

function streamText(text: string) {
  const bytes = Buffer.from(text);
  return { bytes: bytes.length, stream: streamBytes(bytes) };
}

/** Escapes names as browsers do (HTML, multipart/form-data encoding algorithm). */
function writeLines(value: string): string {
  return value.replaceAll(/\r\n|\r|\n/g, '\r\n');
}

function quote(fileName: string): string {
  return fileName.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

/** Writes the form of a submission. NSG refuses the whole form for one unknown field. */
export function describeJob(order: JobOrder): Form {
  const { init_file, python_option } = order.extras;
  return {
    fields: [
      ['tool', order.program],
      ['metadata.clientJobId', order.jobId],
      ['metadata.clientJobName', order.title.slice(0, 100)],
      // Slipway informs its users itself.
      ['metadata.statusEmail', 'false'],
      ['vparam.runtime_', tellHours(order.hours)],
      ['vparam.number_nodes_', String(order.nodes)],
      ['vparam.number_cores_', String(order.coresPerNode)],
      ...(init_file ? [['vparam.filename_', init_file] as const] : []),
      ...(python_option ? [['vparam.pythonoption_', python_option] as const] : []),
    ],
    ...(order.input && { file: describeInput(order.input) }),
  };
}

function describeInput(input: JobInput): FormFile {
  return {
    field: 'input.infile_',
    fileName: input.fileName,
    type: 'application/zip',
    open: () => input.open(),
  };
}

/** Writes a plain decimal, never less than was granted. */
function tellHours(hours: number): string {
  return String(roundUp(hours * 10_000) / 10_000);
}
