import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { writeDuration } from '../../../format/duration.ts';
import {
  type Charging,
  nameUnit,
  writeLeft,
  writeNodeTime,
  writeRest,
} from '../../../format/node-time.ts';
import { type Estimate, type Job, SlipwayProblem } from '../../../index.ts';
import type { SubmissionOnNode } from '../../../node/index.ts';
import { CannotDo, explain, outcome } from '../../terminal/outcome.ts';
import { cleanText, cutText } from '../../terminal/text.ts';

/**
 * How many seconds the jobs of one session may hold before somebody is asked. What was taken stays
 * taken when a job ends: to give back what a job did not use, one would have to follow them all.
 */
export interface Budget {
  readonly whole: number;
  left(): number;
  /** Takes it if there is as much. Nothing comes between the two: calls run at the same time. */
  take(seconds: number): boolean;
  /** For what somebody was asked about. It counts too, so that the next job is asked about as well. */
  takeAllTheSame(seconds: number): void;
  /** For what was not made after all. */
  giveBack(seconds: number): void;
}

export function createBudget(whole: number): Budget {
  let taken = 0;
  return {
    whole,
    left: () => Math.max(0, whole - taken),
    take: (seconds) => {
      if (taken + seconds > whole) return false;
      taken += seconds;
      return true;
    },
    takeAllTheSame: (seconds) => {
      taken += seconds;
    },
    giveBack: (seconds) => {
      taken -= seconds;
    },
  };
}

export function describeBudget({ whole, left }: Budget, charging: Charging): string {
  if (whole === 0) return 'There is no budget: the user is asked about every job.';
  return `The budget of this session has ${writeLeft(left(), whole)} ${nameUnit(charging)} left.`;
}

interface Spending {
  /** What the job will hold. */
  readonly seconds: number;
  readonly charging: Charging;
  /** What the job is, for the person who is asked. */
  readonly job: readonly string[];
}

/** Takes what a job will hold from the budget, or asks; refuses where nobody agrees. */
export async function permitSpending(
  budget: Budget,
  { seconds, charging, job }: Spending,
  ask: AskUser,
): Promise<void> {
  if (budget.take(seconds)) return;
  const price = writeNodeTime(seconds, charging);
  const rest = describeBudget(budget, charging);
  const answer = await ask(
    [
      `An assistant wants to submit a job that reserves ${price} (${seconds} s). ${rest}`,
      ...job,
    ].join('\n'),
  );
  if (answer === undefined) {
    throw new CannotDo(`This job would reserve ${price}. ${rest} Nothing was submitted.`, {
      outcome: outcome.refused,
      next: `Tell the user. They can start the server anew with a larger budget, such as --budget ${suggestBudget(seconds)}, or submit the job themselves with slipway submit.`,
    });
  }
  if (!answer) {
    throw new CannotDo('The user was asked and did not agree. Nothing was submitted.', {
      outcome: outcome.refused,
      next: 'Do not try again before the user has said what to change.',
    });
  }
  budget.takeAllTheSame(seconds);
}

function suggestBudget(seconds: number): string {
  return `${Math.ceil(seconds / 3600)}h`;
}

/** A person may be away from the desk; whoever waits for the assistant may give up sooner. */
const patienceMs = 10 * 60_000;

/** Whether the user agrees; nothing where the assistant has no way to ask. */
type AskUser = (question: string) => Promise<boolean | undefined>;

export function createAskUser({ server }: McpServer, signal: AbortSignal): AskUser {
  return async (message) => {
    if (!server.getClientCapabilities()?.elicitation?.form) return undefined;
    const { action } = await server
      .elicitInput(
        { message, requestedSchema: { type: 'object', properties: {} } },
        { signal, timeout: patienceMs },
      )
      .catch(() => {
        throw new CannotDo('The user was asked, and no answer came. Nothing was submitted.', {
          outcome: outcome.refused,
          next: 'Ask the user what to do.',
        });
      });
    // An answer that comes after the assistant gave up is no longer an answer to it.
    signal.throwIfAborted();
    return action === 'accept';
  };
}

const widest = 200;

/** What the person who is asked has to know. An assistant wrote it: it must not look like more. */
export function describeSubmission(
  { hpc, project_name: project, nodes, cores, title, command, tool, filename }: SubmissionOnNode,
  { runtime, left }: Estimate,
  charging: Charging,
): string[] {
  const show = (text: string) => cutText(cleanText(text), widest);
  const place = project === undefined ? show(hpc) : `${show(hpc)} / ${show(project)}`;
  return [
    `Where: ${place}, ${count(nodes, 'node')} with ${count(cores, 'core')} each, for ${writeDuration(runtime * 3600)}`,
    `What: ${show(command ?? tool ?? '')}`,
    ...(title === undefined ? [] : [`Title: ${show(title)}`]),
    ...(filename === undefined ? [] : [`Files: ${show(filename)}`]),
    `Your quota has ${writeRest(left.time, charging)} left after it.`,
  ];
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

/** After these nobody knows what became of an earlier try of the same submission. */
const doubtful = [401, 409, 429];

/** Gives back what was taken for a job that was refused; where that is in doubt, it stays taken. */
export async function submitOnBudget(
  budget: Budget,
  seconds: number,
  submit: () => Promise<Job>,
): Promise<Job> {
  try {
    return await submit();
  } catch (error) {
    if (isRefusal(error)) {
      budget.giveBack(seconds);
      throw error;
    }
    const { lines, outcome } = explain(error, false);
    throw new CannotDo(lines.join('\n'), {
      outcome,
      next: 'The job may have been submitted all the same: look with jobs before you submit it again.',
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SlipwayProblem && error.status < 500 && !doubtful.includes(error.status);
}
