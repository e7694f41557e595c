/** What the service says of a refusal (RFC 9457). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The id of the request, by which an operator finds it in the log. */
  readonly instance?: string;
  readonly errors?: readonly {
    readonly location: string;
    readonly name: string;
    readonly message: string;
  }[];
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

/** The class of a type of problem, by the last part of the type. */
export function nameProblem(name: string): typeof SlipwayProblem {
  const named = class extends SlipwayProblem {};
  Object.defineProperty(named, 'name', { value: name });
  classes.set(name, named);
  return named;
}

/** One that came after this client is a SlipwayProblem like all others. */
export function classOf({ type }: ProblemBody): typeof SlipwayProblem {
  return classes.get(type.slice(type.lastIndexOf(':') + 1)) ?? SlipwayProblem;
}

/** No answer came, however often it was tried. A request that changes something may have done so. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}
