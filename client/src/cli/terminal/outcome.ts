import { ServiceUnreachable, SlipwayProblem } from '../../index.ts';
import { phrase } from '../words/phrase.ts';
import { type Circumstances, describeForCommand } from './explain-problem.ts';
import { cleanText } from './text.ts';

/** Exit codes of the command. */
export const outcome = {
  done: 0,
  jobFailed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof outcome)[keyof typeof outcome];

/** A refusal in words for the person who asked. */
export class CannotDo extends Error {
  readonly outcome: ExitCode;
  /** The next step. */
  readonly next: string | undefined;

  constructor(message: string, how: { readonly outcome?: ExitCode; readonly next?: string } = {}) {
    super(message);
    this.outcome = how.outcome ?? outcome.usage;
    this.next = how.next;
  }
}

interface Explanation {
  readonly outcome: ExitCode;
  readonly lines: readonly string[];
}

/** Explains an error: what happened, why, and the next step. Never shows a stack. */
export function explain(
  error: unknown,
  interrupted: boolean,
  around: Circumstances = {},
): Explanation {
  // An interrupted request fails in some way, and nobody needs to know in which.
  if (interrupted) return { outcome: outcome.interrupted, lines: [] };
  if (error instanceof CannotDo) {
    return { outcome: error.outcome, lines: [error.message, ...(error.next ? [error.next] : [])] };
  }
  if (error instanceof SlipwayProblem) return explainProblem(error, around);
  if (error instanceof ServiceUnreachable) {
    const where = around.address === undefined ? '' : `${around.address}: `;
    return {
      outcome: outcome.unreachable,
      lines: [
        phrase('session.theServiceCannotBeReached'),
        cleanText(`${where}${describeCause(error)}.`),
        phrase('session.acceptedJobsContinue'),
      ],
    };
  }
  return {
    outcome: outcome.usage,
    lines: [error instanceof Error ? error.message : String(error)],
  };
}

function explainProblem({ problem }: SlipwayProblem, around: Circumstances): Explanation {
  const lines = [
    ...describeForCommand(problem, around),
    ...(problem.instance === undefined
      ? []
      : [phrase('session.requestNumber', { instance: problem.instance })]),
  ];
  const away = problem.status === 503 || problem.status === 502 || problem.status === 504;
  return {
    outcome: away ? outcome.unreachable : outcome.refused,
    lines: [...new Set(lines.map(cleanText))],
  };
}

/** Describes why no answer came, without the codes of the platform where they are known. */
export function describeCause(error: Error): string {
  const causes = listCauses(error);
  const codes = causes.map((cause) => ('code' in cause ? String(cause.code) : ''));
  const known = reasons.find(([pattern]) => codes.some((code) => pattern.test(code)));
  if (known) return known[1]();
  const [last] = causes
    .map(({ message }) => message)
    .filter((message) => message !== '')
    .reverse();
  return last === 'It timed out'
    ? late()
    : (last ?? phrase('session.theRequestFailed')).replace(/\.$/, '');
}

function late(): string {
  return phrase('session.noAnswerCameInTime');
}

const reasons: readonly (readonly [RegExp, () => string])[] = [
  [/^ECONNREFUSED$/, () => phrase('session.nothingAnswersAtThisAddress')],
  [/^(ENOTFOUND|EAI_AGAIN)$/, () => phrase('session.theNameOfTheService')],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, () => phrase('session.theConnectionBroke')],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, () => phrase('session.thereIsNoWayThrough')],
  [/TIMEDOUT|TIMEOUT/, late],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/, () => phrase('session.thisMachineDoesNotTrust')],
];

function listCauses(error: Error): Error[] {
  return [error, ...(error.cause instanceof Error ? listCauses(error.cause) : [])];
}
