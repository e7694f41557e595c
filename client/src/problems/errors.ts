import type { ProblemName, ProblemShape } from './problem-names.ts';

/** What the service says of a refusal (RFC 9457). Which members it has depends on its type. */
export interface ProblemBody extends Omit<ProblemShape, 'instance'> {
  /** The id of the request, by which an operator finds it in the log. */
  readonly instance?: string;
  readonly [member: string]: unknown;
}

/** The service refused a request. Each type of problem has a class of its own. */
export class SlipwayProblem extends Error {
  readonly problem: ProblemBody;
  /** Seconds until it is worth trying again, where the service said so. */
  readonly retryAfter: number | undefined;

  constructor(problem: ProblemBody, retryAfter?: number) {
    super(problem.detail);
    this.name = new.target.name;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return this.problem.status;
  }
}

const classes = new Map<string, typeof SlipwayProblem>();

/** The class for a type of problem; one that came after this client has its own as well. */
export function classOf(type: string): typeof SlipwayProblem {
  const name = type.slice(type.lastIndexOf(':') + 1);
  const made = classes.get(name) ?? nameClass(class extends SlipwayProblem {}, name);
  classes.set(name, made);
  return made;
}

function nameClass(made: typeof SlipwayProblem, name: string): typeof SlipwayProblem {
  return Object.defineProperty(made, 'name', { value: name });
}

type ProblemClasses = Readonly<Record<ProblemName, typeof SlipwayProblem>>;

/** A class for each type of problem: `error instanceof problems['quota-exceeded']`. */
export const problems = createClasses();

/** Classes are made when they are asked for: a list of all names would be a tenth of the client. */
function createClasses(): ProblemClasses {
  const made = new Proxy({}, { get: (_, name) => classOf(String(name)) });
  assertClasses(made);
  return made;
}

function assertClasses(made: object): asserts made is ProblemClasses {
  if (!(made instanceof Object)) throw new TypeError();
}

/** No answer came, however often it was tried. A request that changes something may have done so. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}

/** The error for an answer of 400 or more, of the class that belongs to its type. */
export function readProblem(response: Response, text: string): SlipwayProblem {
  const problem = readBody(response, text);
  const retryAfter = readRetryAfter(response.headers.get('retry-after'));
  return new (classOf(problem.type))(problem, retryAfter);
}

/** A gateway in between answers in its own words. */
function readBody({ status, statusText }: Response, text: string): ProblemBody {
  try {
    const body = JSON.parse(text);
    if (typeof body?.type === 'string' && typeof body.detail === 'string') return body;
  } catch {
    // Said below.
  }
  return {
    type: 'about:blank',
    title: statusText,
    status,
    detail: `The service answered ${status}${text === '' ? '.' : `: ${text.slice(0, 200)}`}`,
  };
}

/** Seconds, or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
