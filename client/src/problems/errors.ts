import { problemNames } from './problem-names.ts';

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

type ProblemName = (typeof problemNames)[number];

/** A class for each type of problem: `error instanceof problems['quota-exceeded']`. */
export const problems = createClasses();

/** One that came after this client is a SlipwayProblem like all others. */
export function classOf({ type }: ProblemBody): typeof SlipwayProblem {
  const name = type.slice(type.lastIndexOf(':') + 1);
  return isProblemName(name) ? problems[name] : SlipwayProblem;
}

function createClasses(): Readonly<Record<ProblemName, typeof SlipwayProblem>> {
  const classes: Partial<Record<ProblemName, typeof SlipwayProblem>> = {};
  for (const name of problemNames) {
    classes[name] = Object.defineProperty(class extends SlipwayProblem {}, 'name', { value: name });
  }
  assertComplete(classes);
  return classes;
}

function assertComplete(
  classes: Partial<Record<ProblemName, typeof SlipwayProblem>>,
): asserts classes is Record<ProblemName, typeof SlipwayProblem> {
  if (!problemNames.every((name) => name in classes)) throw new Error();
}

function isProblemName(name: string): name is ProblemName {
  return Object.hasOwn(problems, name);
}

/** No answer came, however often it was tried. A request that changes something may have done so. */
export class ServiceUnreachable extends Error {
  override readonly name = 'ServiceUnreachable';
}
