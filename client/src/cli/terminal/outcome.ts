import { describeProblem, nameOf } from '../../changes/describe-problem.ts';
import { ServiceUnreachable, SlipwayProblem } from '../../index.ts';
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
export function explain(error: unknown, interrupted: boolean): Explanation {
  // An interrupted request fails in some way, and nobody needs to know in which.
  if (interrupted) return { outcome: outcome.interrupted, lines: [] };
  if (error instanceof CannotDo) {
    return { outcome: error.outcome, lines: [error.message, ...(error.next ? [error.next] : [])] };
  }
  if (error instanceof SlipwayProblem) return explainProblem(error);
  if (error instanceof ServiceUnreachable) {
    return {
      outcome: outcome.unreachable,
      lines: [
        'The service cannot be reached.',
        `${cleanText(`${error.message}${writeCause(error)}`)} Accepted jobs continue. Try again in a few minutes.`,
      ],
    };
  }
  return {
    outcome: outcome.usage,
    lines: [error instanceof Error ? error.message : String(error)],
  };
}

function explainProblem({ problem }: SlipwayProblem): Explanation {
  const parts = problem.errors ?? [];
  const lines = [
    problem.title === '' ? problem.detail : `${problem.title}.`,
    ...(parts.length > 0
      ? parts.map(({ name, message }) => `  ${name}: ${message}`)
      : [describeProblem(problem)]),
    ...listNextSteps(problem),
    ...(problem.instance === undefined ? [] : [`Request ${problem.instance}`]),
  ];
  const away = problem.status === 503 || problem.status === 502 || problem.status === 504;
  return {
    outcome: away ? outcome.unreachable : outcome.refused,
    lines: [...new Set(lines.map(cleanText))],
  };
}

function listNextSteps(problem: SlipwayProblem['problem']): string[] {
  if (problem.status === 401) return ['Sign in again: slipway login'];
  if (nameOf(problem) === 'quota-exceeded') {
    return ['Request less, or ask for a larger quota: slipway ask --help'];
  }
  if (nameOf(problem) !== 'not-administrator') return [];
  return [
    'Sign in as an administrator: slipway login --profile admin   (on a laptop: slipway login --local --admin --profile admin)',
    'Then use that profile: slipway --profile admin admin ...',
  ];
}

function writeCause({ cause }: Error): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error && inner.message !== '' ? ` (${inner.message})` : '';
}
