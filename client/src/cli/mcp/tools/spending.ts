import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type Charging, writeNodeTime, writeRest } from '../../../format/amounts/amounts.ts';
import { writeCount } from '../../../format/numbers/write-number.ts';
import { writeDuration } from '../../../format/times/duration.ts';
import {
  type Batch,
  type Estimate,
  type Job,
  type Slipway,
  SlipwayProblem,
} from '../../../index.ts';
import type { SubmissionOnNode } from '../../../node/index.ts';
import { readCharging } from '../../session/find.ts';
import { CannotDo, explain, outcome } from '../../terminal/outcome.ts';
import { cleanText, cutText } from '../../terminal/text.ts';
import { presentBudget, presentRest, presentTime } from './answers.ts';
import { type Budget, describeBudget } from './budget.ts';
import type { ToolSet } from './tool-set.ts';

interface Spending {
  /** The seconds that it will hold. */
  readonly seconds: number;
  readonly charging: Charging;
  readonly kind: 'job' | 'batch';
  /** Lines that describe the job or batch to the user. */
  readonly lines: readonly string[];
}

/** What a job or a batch is submitted with, and how. */
interface Work<Whole, Price, Made> {
  readonly kind: Spending['kind'];
  readonly submission: Whole;
  readonly estimate: (whole: Whole) => Promise<Price>;
  /** Lines that stand before those about each job. */
  readonly describe?: (price: Price) => readonly string[];
  readonly submit: (whole: Whole) => Promise<Made>;
}

/**
 * Submits a job or batch if its price is within the budget or the user agrees. Returns it with the
 * part of the answer that is about time.
 */
export async function submitOnBudget<
  Whole extends SubmissionOnNode,
  Price extends Pick<Estimate, 'held' | 'left' | 'runtime'>,
  Made extends Job | Batch,
>(
  { server, connect, budget }: ToolSet,
  { kind, submission, estimate, describe, submit }: Work<Whole, Price, Made>,
  signal: AbortSignal,
) {
  const charging = (await readCharging(connect()))(submission.hpc.toUpperCase());
  const price = await estimate(submission);
  const { held, left } = price;
  const lines = [...(describe?.(price) ?? []), ...describeSubmission(submission, price, charging)];
  const spending = { seconds: held.time, charging, kind, lines };
  await permitSpending(budget, spending, createAskUser(server, signal));
  const made = await submitOrGiveBack(budget, spending, () => submit(submission));
  return {
    made,
    spent: {
      price: presentTime(held.time, charging),
      quota_left: presentRest(left.time, charging),
      budget: presentBudget(budget, charging),
    },
    said: `It reserves ${writeNodeTime(held.time, charging)}; ${writeRest(left.time, charging)} are left of the quota. ${describeBudget(budget, charging)}`,
  };
}

/** Says what a job or batch would take, and whether the user would have to agree. */
export async function presentEstimate(
  { client, budget }: { readonly client: Slipway; readonly budget: Budget },
  hpc: string,
  { held, left }: Pick<Estimate, 'held' | 'left'>,
) {
  const charging = (await readCharging(client))(hpc.toUpperCase());
  const data = {
    price: presentTime(held.time, charging),
    quota_left: presentRest(left.time, charging),
    within_budget: held.time <= budget.left(),
    budget: presentBudget(budget, charging),
  };
  return { data, said: describeBudget(budget, charging) };
}

/** Takes the price from the budget, or asks the user. Throws unless the user agrees. */
async function permitSpending(
  budget: Budget,
  { seconds, charging, kind, lines }: Spending,
  ask: AskUser,
): Promise<void> {
  if (budget.take(seconds)) return;
  const price = writeNodeTime(seconds, charging);
  const rest = describeBudget(budget, charging);
  const answer = await ask(
    [
      `An assistant wants to submit a ${kind} that reserves ${price} (${seconds} s). ${rest}`,
      ...lines,
    ].join('\n'),
  );
  if (answer === undefined) {
    throw new CannotDo(`This ${kind} would reserve ${price}. ${rest} Nothing was submitted.`, {
      outcome: outcome.refused,
      next: `Tell the user. They can restart the server with a larger budget, such as --budget ${Math.ceil(seconds / 3600)}h, or submit the ${kind} themselves with slipway submit.`,
    });
  }
  if (!answer) {
    throw new CannotDo('The user was asked and did not agree. Nothing was submitted.', {
      outcome: outcome.refused,
      next: 'Do not try again before the user has said what to change.',
    });
  }
  budget.takeAgreed(seconds);
}

/** Leaves time for a user who is away from the desk. The client may time out sooner. */
const patienceMs = 10 * 60_000;

/** Returns whether the user agrees, or undefined if the assistant's program cannot ask. */
type AskUser = (question: string) => Promise<boolean | undefined>;

function createAskUser({ server }: McpServer, signal: AbortSignal): AskUser {
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
    // Ignore an answer that comes after the assistant gave up.
    signal.throwIfAborted();
    return action === 'accept';
  };
}

const widest = 200;

/**
 * Describes a submission to the user who is asked. The assistant wrote these texts, so they are cleaned
 * of control characters and cut.
 */
function describeSubmission(
  submission: SubmissionOnNode,
  { runtime, left }: Pick<Estimate, 'runtime' | 'left'>,
  charging: Charging,
): string[] {
  const { hpc, project, nodes, cores, title, command, tool, filename } = submission;
  const { image, inputs = [], outputs = [] } = submission;
  const show = (text: string) => cutText(cleanText(text), widest);
  const place = project === undefined ? show(hpc) : `${show(hpc)} / ${show(project)}`;
  return [
    `Where: ${place}, ${writeCount(nodes, 'node')} with ${writeCount(cores, 'core')} each, for ${writeDuration(runtime * 3600)}`,
    `What: ${show(command ?? tool ?? '')}`,
    ...(title === undefined ? [] : [`Title: ${show(title)}`]),
    ...(filename === undefined ? [] : [`Files: ${show(filename)}`]),
    ...(image === undefined ? [] : [`Image: ${show(image)}`]),
    ...inputs.map(({ from }) => `Fetches: ${show(from)}`),
    ...outputs.map(({ files, to }) => `Sends: ${show(files)} to ${show(to)}`),
    `Your quota has ${writeRest(left.time, charging)} left after it.`,
  ];
}

const plurals = { job: 'jobs', batch: 'batches' };

/** Statuses after which an earlier try of the same submission may still have succeeded. */
const doubtful = [401, 409, 429];

/** Submits, and gives the seconds back if the service refused. If unsure, keeps them taken. */
export async function submitOrGiveBack<Made extends Job | Batch>(
  budget: Budget,
  { seconds, kind }: Pick<Spending, 'seconds' | 'kind'>,
  submit: () => Promise<Made>,
): Promise<Made> {
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
      next: `The ${kind} may have been submitted. Check with ${plurals[kind]} before you submit it again.`,
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof SlipwayProblem && error.status < 500 && !doubtful.includes(error.status);
}
