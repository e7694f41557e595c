import type { Problem, ProblemName } from './problem-names.ts';

/** The service's description of a refusal (RFC 9457). Its members depend on its type. */
interface ProblemBody extends Omit<Problem, 'instance'> {
  /** The id of the request, for the operator's log. */
  readonly instance?: string;
  readonly [member: string]: unknown;
}

/** The service refused a request. Each type of problem has a class of its own. */
export class SlipwayProblem extends Error {
  readonly problem: ProblemBody;
  /** Seconds until a retry is worth it, if the service said so. */
  readonly retryAfter: number | undefined;

  constructor(problem: ProblemBody, retryAfter?: number) {
    // The contract's names of fields, in the words of a submission.
    super(problem.detail.replaceAll(/\b(node|core|task|gpu)_number\b/g, '$1s'));
    this.name = new.target.name;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return this.problem.status;
  }
}

const classes = new Map<string, typeof SlipwayProblem>();

/** Returns the class of a problem type, also for types newer than this client. */
function classOf(type: string): typeof SlipwayProblem {
  const name = type.slice(type.lastIndexOf(':') + 1);
  const made = classes.get(name) ?? nameClass(class extends SlipwayProblem {}, name);
  classes.set(name, made);
  return made;
}

function nameClass(made: typeof SlipwayProblem, name: string): typeof SlipwayProblem {
  return Object.defineProperty(made, 'name', { value: name });
}

/**
 * A class for each type of problem: `error instanceof problems['quota-exceeded']`. They are created
 * on demand, because a list of all names would be a tenth of the client.
 */
export const problems: Readonly<Record<ProblemName, typeof SlipwayProblem>> = new Proxy(
  Object.create(null),
  { get: (_, name) => classOf(String(name)) },
);

/** No answer came, despite retries. A request that changes something may have taken effect. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** Reads the error of an answer of 400 or more. */
export function readProblem(response: Response, text: string): SlipwayProblem {
  const problem = readBody(response, text);
  const retryAfter = readRetryAfter(response.headers.get('retry-after'));
  return new (classOf(problem.type))(problem, retryAfter);
}

/** Gateways in between answer in their own formats. */
function readBody({ status, statusText }: Response, text: string): ProblemBody {
  try {
    const body = JSON.parse(text);
    if (typeof body?.type === 'string' && typeof body.detail === 'string') return body;
  } catch {
    // Not JSON: described below.
  }
  return {
    type: 'about:blank',
    title: statusText,
    status,
    detail: `The service answered ${status}${text === '' ? '.' : `: ${text.slice(0, 200)}`}`,
  };
}

/** Reads seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
