import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { mayCall } from '#lib/catalog/input-addresses.ts';
import {
  keptFiles,
  mostSentFiles,
  type Sending,
  type SentOutput,
  sentList,
} from '#lib/catalog/output-addresses.ts';
import {
  ask,
  beginCall,
  describeStatus,
  explainFailure,
  FailedTry,
  keepTrying,
  silenceMs,
} from '#lib/files/staging/call-out.ts';
import { type JobPlace, openShell } from './open-shell.ts';

/** Its signal is aborted when the job is cancelled, or its time is over. */
interface Place extends JobPlace {
  readonly signal: AbortSignal;
}

/** Servers that know nothing of consent say nothing. */
const consentMs = 5000;

/** One file on its way. */
interface Parcel {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The host that was called last. */
  host: string;
}

/**
 * Sends files of a job that ended well, as the scripts of other systems do
 * (lib/hpc/script/send-files.ts), and returns what could not be sent, in sentences. They are read as
 * the account of the job, so a link leads no further than the account may read.
 */
export async function sendOutputs(sending: Sending, place: Place): Promise<string[]> {
  const report: Report = { unsent: [], lines: [], sent: new Set(), kept: new Set() };
  for (const output of sending.outputs) await sendFiles(output, sending, place, report);
  const { unsent, lines, sent, kept } = report;
  const gone = [...sent].filter((file) => !kept.has(file));
  await runAs(place, 'xargs -0 -r rm -f --', { input: gone.map((file) => `./${file}\0`).join('') });
  if (lines.length > 0) {
    await runAs(place, 'cat >"$1"', { words: [sentList], input: lines.join('') });
  }
  return unsent;
}

interface Report {
  readonly unsent: string[];
  readonly lines: string[];
  readonly sent: Set<string>;
  readonly kept: Set<string>;
  /** Set once a file has been tried for as long as a job is patient. */
  patience?: number;
}

async function sendFiles(
  output: SentOutput,
  sending: Sending,
  place: Place,
  report: Report,
): Promise<void> {
  const { unsent, lines, sent, kept } = report;
  const files = await findFiles(output, place);
  if (files.length === 0) unsent.push(tell(output.files, '', 'there is no such file'));
  for (const file of files) {
    if (sent.size + kept.size >= mostSentFiles) {
      unsent.push(tell(output.files, '', `a job sends at most ${mostSentFiles} files`));
      return;
    }
    const parcel = { file, bytes: 0, sha256: '', host: '' };
    try {
      lines.push(await sendFile(parcel, output, sending, place, report));
      sent.add(file);
    } catch (error) {
      const why = place.signal.aborted ? 'it was too slow' : explainFailure(error);
      unsent.push(tell(file, parcel.host, why));
      kept.add(file);
    }
  }
}

function tell(name: string, host: string, why: string): string {
  return `The output ${name} could not be sent${host && ` to ${host}`}: ${why}.`;
}

async function findFiles({ pattern }: SentOutput, place: Place): Promise<string[]> {
  const list = await runAs(place, `find . -type f -printf '%P\\0'`);
  const form = new RegExp(pattern, 'su');
  return list
    .toString()
    .split('\0')
    .filter((file) => file !== '' && !keptFiles.some((each) => each === file) && form.test(file))
    .toSorted();
}

/** Returns the line of the list for a file that was sent. */
async function sendFile(
  parcel: Parcel,
  output: SentOutput,
  sending: Sending,
  place: Place,
  report: Report,
): Promise<string> {
  const { file } = parcel;
  if (/[\p{Cc}\\]/u.test(file)) {
    throw new FailedTry('its name has control characters or backslashes', true);
  }
  parcel.host = new URL(output.address).host;
  const { bytes, sha256 } = await measure(file, place);
  Object.assign(parcel, { bytes, sha256 });
  if (bytes > sending.maxBytes) {
    throw new FailedTry(`it is larger than ${sending.maxBytes} bytes`, true);
  }
  try {
    const step = () => sendPart(parcel, output, sending, place);
    await keepTrying(step, place.signal, report.patience);
  } catch (error) {
    if (!(error instanceof FailedTry && error.lasts)) report.patience = 0;
    throw error;
  }
  const to = output.to.endsWith('/') ? output.to + file : output.to;
  return `${JSON.stringify({ file, to, length: bytes, sha256 })}\n`;
}

async function measure(file: string, place: Place) {
  const hash = createHash('sha256');
  let bytes = 0;
  const { stdout, done } = open(place, 'cat -- "$1"', [`./${file}`]);
  for await (const chunk of stdout) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  await done();
  return { bytes, sha256: hash.digest('hex') };
}

async function sendPart(
  parcel: Parcel,
  { address, asks }: SentOutput,
  { hosts, trusted }: Sending,
  place: Place,
): Promise<void> {
  const { file, bytes, sha256 } = parcel;
  const target = new URL(address);
  if (!mayCall(target, [...hosts, ...trusted])) {
    throw new FailedTry('it is not among the hosts that this system allows', true);
  }
  const url = asks ? await askForAddress(parcel, target, place) : target;
  parcel.host = url.host;
  const checksum = { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') };
  const own = { 'content-length': String(bytes), expect: '100-continue' };
  const headers = { ...own, ...(asks && checksum) };
  const isTrusted = asks && mayCall(url, trusted);
  const { signal } = place;
  const request = await beginCall(url, { method: 'PUT', headers, isTrusted, signal });
  request.setTimeout(silenceMs, () => request.destroy(new FailedTry('it was too slow')));
  request.on('error', () => undefined);
  const answered = once(request, 'response', { signal });
  request.flushHeaders();
  // A refusal in the middle of the body would look like a lost connection.
  const consented = once(request, 'continue', { signal });
  consented.catch(() => undefined);
  await Promise.race([consented, answered, sleep(consentMs, undefined, { ref: false })]);
  const { stdout, done } = open(place, 'cat -- "$1"', [`./${file}`]);
  const whole = pipeline(stdout, request).catch(() => undefined);
  const [response]: IncomingMessage[] = await answered;
  response?.resume();
  const { statusCode = 0 } = response ?? {};
  if (statusCode < 200 || statusCode > 299) {
    request.destroy();
    throw describeStatus(statusCode);
  }
  await whole;
  await done();
}

/** Asks the service where the file goes. */
async function askForAddress(
  { file, bytes, sha256 }: Parcel,
  target: URL,
  { signal }: Place,
): Promise<URL> {
  const query = new URLSearchParams({ file, length: String(bytes), sha256 });
  const url = new URL(`${target.href}&${query}`);
  const response = await ask(url, { method: 'PUT', headers: {}, isTrusted: true, signal });
  response.destroy();
  const { statusCode = 0, headers } = response;
  const next = statusCode === 307 ? URL.parse(headers.location ?? '') : null;
  if (!next) throw describeStatus(statusCode);
  return next;
}

function open(place: Place, line: string, words: readonly string[] = []) {
  return openShell(place, line, words, 'it cannot be read');
}

async function runAs(
  place: Place,
  line: string,
  { words = [], input = '' }: { readonly words?: readonly string[]; readonly input?: string } = {},
): Promise<Buffer> {
  const { stdin, stdout, done } = open(place, line, words);
  stdin.end(input);
  const said = await buffer(stdout);
  await done();
  return said;
}
