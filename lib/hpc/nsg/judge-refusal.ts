import * as v from 'valibot';
import { DomainError } from '#lib/errors/domain-error.ts';
import { decodeText } from '../call-upstream.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '../errors.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';
import { parseXml } from './read-answer.ts';

/** NSG has no such job or file, or not for this user. */
export class NotKnownError extends DomainError {
  override readonly name = 'NotKnownError';
}

/** NSG answered with an error that is none of the others. */
export class CallRefusedError extends SystemUnavailableError {
  override readonly name = 'CallRefusedError';
  readonly code: string;
  constructor(status: number, code: string) {
    super(`NSG: HTTP ${status} (code ${code}).`);
    this.code = code;
  }
}

const Text = v.optional(v.fallback(v.string(), ''), '');

const Refusal = v.object({
  error: v.object({
    displayMessage: Text,
    code: v.string(),
    paramError: v.optional(v.array(v.object({ param: Text, error: Text })), []),
    limitStatus: v.optional(
      v.fallback(v.object({ type: Text, resetMinutes: Text }), { type: '', resetMinutes: '' }),
    ),
  }),
});

type Refusal = v.InferOutput<typeof Refusal>['error'];

/** NSG's codes, not the HTTP statuses, say what is wrong. */
const meanings: Readonly<Record<string, (refusal: Refusal) => Error>> = {
  1: () => new CredentialsRefusedError('NSG: not authorized (1).'),
  2: () => new CredentialsRefusedError('NSG: not authenticated (2).'),
  4: () => new NotKnownError('NSG: not found (4).'),
  5: (refusal) => new JobRefusedError(tellParameters(refusal)),
  6: () => new NotKnownError('NSG: the job belongs to another user (6).'),
  103: (refusal) =>
    new SystemBusyError(
      `NSG: limit reached (103 ${refusal.limitStatus?.type}).`,
      readMinutes(refusal.limitStatus?.resetMinutes),
      quoteMessage(refusal),
    ),
  104: (refusal) =>
    new SystemBusyError('NSG: the tool is disabled (104).', undefined, quoteMessage(refusal)),
};

/** NSG writes it for people to read. */
function quoteMessage({ displayMessage }: Refusal): { said?: string } {
  const text = displayMessage.trim().replace(/\.$/, '').slice(0, 200);
  return text === '' ? {} : { said: `NSG says: ${text}.` };
}

/** Throws the error that NSG's code stands for; returns if there is no code. */
export async function judgeRefusal(answer: UpstreamAnswer): Promise<void> {
  if (answer.status < 300) return;
  const refusal = (await parseXml(Refusal, decodeText(answer)))?.error;
  if (!refusal) return;
  const meaning = meanings[refusal.code];
  throw meaning?.(refusal) ?? new CallRefusedError(answer.status, refusal.code);
}

/** Writes one sentence per field, for the owner. */
function tellParameters({ paramError, displayMessage }: Refusal): string {
  const sentences = paramError.map(({ param, error }) => `${param.replace(/_$/, '')}: ${error}`);
  return (
    sentences.join('; ') ||
    displayMessage ||
    'The system refused the form of this job.'
  ).slice(0, 1000);
}

function readMinutes(text = ''): number | undefined {
  return /^\d{1,6}$/.test(text) ? Math.max(Number(text), 1) * 60 : undefined;
}
