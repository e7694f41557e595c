import { catalog } from '#lib/catalog/catalog.ts';
import { wordOfCharging } from '#lib/catalog/hpc-system.ts';
import { type Facts, Refusal, type WrongPart } from '#lib/errors/domain-error.ts';
import {
  type FieldProblem,
  InvalidRequestError,
  InvalidTokenError,
  MethodNotAllowedError,
} from './errors.ts';

/** An error as a client sees it (RFC 9457). */
export interface Problem {
  readonly status: number;
  /** The last part of its `type`, which is also a dimension of the metric of refusals. */
  readonly name: string;
  readonly title: string;
  readonly detail: string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Row = readonly [status: number, title: string, retryAfterSeconds?: number];

/**
 * Maps every kind of refusal to a status. Clients retry after a 429, so only limits that end by
 * waiting use it. Limits that last until somebody does something are 409.
 */
const rows: Readonly<Record<string, Row>> = {
  'invalid-request': [400, 'The request is not valid'],
  'invalid-token': [401, 'Missing or invalid access token'],
  'not-administrator': [403, 'Administrators only'],
  'not-leader': [403, 'Leaders and administrators only'],
  'event-for-administrators': [403, 'An event for administrators'],
  'quota-exceeded': [403, 'The quota is too small'],
  'budget-spent': [403, "The month's budget is spent"],
  'folder-full': [403, 'The folder of the project is full'],
  banned: [403, 'Submitting is not allowed'],
  'quota-expired': [403, 'The quota has expired'],
  'no-quota': [403, 'No quota in this project'],
  'no-budget': [403, 'The project has no budget'],
  'not-member': [403, 'Not a member any more'],
  'account-missing': [403, 'No account on this HPC system'],
  'project-closed': [403, 'The project is closed'],
  'path-not-found': [404, 'Path not found'],
  'system-not-found': [404, 'Unknown HPC system'],
  'project-not-found': [404, 'Unknown project'],
  'job-not-found': [404, 'Unknown job'],
  'batch-not-found': [404, 'Unknown batch'],
  'file-not-found': [404, 'Unknown file'],
  'folder-not-found': [404, 'No folder of this project'],
  'quota-not-found': [404, 'Unknown quota'],
  'budget-not-found': [404, 'No budget'],
  'user-not-found': [404, 'Unknown user'],
  'account-not-found': [404, 'No such account'],
  'webhook-not-found': [404, 'Unknown webhook'],
  'delivery-not-found': [404, 'Unknown delivery'],
  'link-not-valid': [404, 'The link is not valid'],
  'request-not-found': [404, 'Unknown request'],
  'maintenance-not-found': [404, 'Unknown maintenance'],
  'method-not-allowed': [405, 'Method not allowed'],
  'idempotency-key-in-use': [409, 'The first request is still running', 1],
  'quota-in-use': [409, 'The quota is in use'],
  'awaited-failed': [409, 'An awaited job has not ended well'],
  'job-runs-elsewhere': [409, 'Another run of the job has begun'],
  'accounts-not-used': [409, 'Accounts are not used there'],
  'grant-too-large': [409, 'The quota would be too large'],
  'budget-too-small': [409, 'The budget is too small'],
  'budget-ends': [409, 'The budget ends before that'],
  'not-from-budget': [409, 'Not all of it came from the budget'],
  'project-in-catalog': [409, "The project is the operator's"],
  'upload-gone': [404, 'Upload not found'],
  'upload-unfinished': [409, 'The upload is not complete'],
  'upload-used': [409, 'The upload was already used'],
  'uploads-too-large': [409, 'Too much is uploaded'],
  'too-many-uploads': [409, 'Too many uploads at once'],
  'folder-out-of-reach': [409, 'Only jobs reach the folder'],
  'emptying-unconfirmed': [409, 'Deleting everything must be confirmed'],
  'too-many-jobs': [409, 'Too many jobs at once'],
  'nothing-failed': [409, 'No job has failed'],
  'batch-input-gone': [409, 'The input was removed'],
  'mail-not-set-up': [409, 'No mail is sent'],
  'too-many-webhooks': [409, 'Webhook limit reached'],
  'request-open': [409, 'A request is still open'],
  'too-many-open-requests': [409, 'Too many open requests'],
  'request-ended': [409, 'The request is not open any more'],
  'file-too-large': [413, 'The file is too large'],
  'results-too-large': [413, 'The results are too large'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-body': [415, 'Unsupported content type'],
  'idempotency-key-reused': [422, 'The key belongs to another request'],
  'too-many-calls': [429, 'Too many calls in a short time'],
  'too-many-links': [429, 'Too many links'],
  'too-many-downloads': [429, 'Too many large files at once', 60],
  'internal-error': [500, 'Something went wrong'],
  'identity-unavailable': [503, 'Tokens cannot be checked', 10],
  'system-unavailable': [503, 'The HPC system is down', 30],
  'system-busy': [503, 'The HPC system is busy'],
  'storage-unavailable': [503, 'The file storage is down', 10],
  'submission-uncertain': [503, 'The job may exist', 10],
  busy: [503, 'Too many changes at once', 1],
  'statement-not-ready': [503, 'The statement is still being drawn up', 1],
  unavailable: [503, 'The service is down', 10],
  timeout: [503, 'The request took too long', 1],
  'records-full': [507, 'No room for more records'],
};

type Place = FieldProblem['location'];

/**
 * Says where a request has the parts that are found wrong after parsing. Zips are here for uploads:
 * problems of a zip in the body are found while the request is parsed.
 */
const places: Readonly<Record<string, Place>> = {
  'awaited-not-found': 'payload',
  'bad-table': 'payload',
  'ledger-too-long': 'query',
  'too-many-results': 'payload',
  'statement-too-long': 'query',
  'unsafe-zip': 'header',
  'upload-not-found': 'header',
};

/** An identifier that clients compare. `/docs/#problem-{name}` explains it. */
export function problemType(name: string): string {
  return `urn:slipway:problem:${name}`;
}

/** Returns what all problems of a name share, for the description of the API. */
export function kindOfProblem(name: string): Pick<Problem, 'status' | 'name' | 'title'> {
  const row = rows[name];
  if (!row) throw new Error(`Unknown problem '${name}'.`);
  const [status, title] = row;
  return { status, name, title };
}

/** Errors that are not in the table are bugs, and their messages stay in the log. */
const unexpected: Problem = {
  ...kindOfProblem('internal-error'),
  detail:
    'The service failed to answer. Report the request id in `instance` to the operator, who can find the cause in the log.',
};

export function explainError(error: unknown): Problem {
  if (error instanceof InvalidRequestError) return explainParts(error.problems);
  if (!(error instanceof Refusal)) return unexpected;
  const { kind: name, message, told, facts, wrongParts = [{ message }] } = error;
  const place = places[name];
  if (place) return explainParts(wrongParts.map((part) => locate(place, part)));
  const row = rows[name];
  if (!row) return unexpected;
  const [status, title, retryAfterSeconds] = row;
  const headers = chooseHeaders(error, retryAfterSeconds);
  return {
    status,
    name,
    title,
    detail: told ?? message,
    ...(facts && { members: writeFacts(facts) }),
    ...(headers && { headers }),
  };
}

/** Names the wrong parts of a request, even if they were found after parsing. */
function explainParts(errors: readonly FieldProblem[]): Problem {
  const { kind, message } = new InvalidRequestError(errors);
  return { ...kindOfProblem(kind), detail: message, members: { errors } };
}

function locate(location: Place, { part = 'Upload-Id', line, message }: WrongPart): FieldProblem {
  if (line !== undefined) return { location: 'body', name: `${part}:${line}`, message };
  return { location, name: part, message };
}

function chooseHeaders(error: Refusal, retryAfterSeconds: number | undefined) {
  if (error instanceof InvalidTokenError) {
    return { 'www-authenticate': 'Bearer error="invalid_token"' };
  }
  if (error instanceof MethodNotAllowedError) return { allow: error.allowed };
  const seconds = error.retryAfterSeconds ?? retryAfterSeconds;
  return seconds === undefined ? undefined : { 'retry-after': String(seconds) };
}

/** Names the project of the amounts, and how its system charges time. */
function writeFacts({ project, ...facts }: Facts): Readonly<Record<string, unknown>> {
  const members = Object.fromEntries(
    Object.entries(facts).map(([fact, value]) => [nameMember(fact), value]),
  );
  if (!project) return members;
  const system = catalog.systems.find(({ name }) => name === project.hpc);
  return {
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.project,
    ...(system && { charging: wordOfCharging(system.charging) }),
    ...members,
  };
}

/** `livingJobs` is the member `living_jobs`. */
function nameMember(fact: string): string {
  return fact.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
