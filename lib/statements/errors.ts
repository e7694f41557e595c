import { refusal, refusalSaying } from '#lib/errors/domain-error.ts';

/** More lines than one request can read. */
export class StatementTooLongError extends /* @__PURE__ */ refusalSaying(
  'statement-too-long',
  (month: string, limit: number) => {
    const message = `The ledgers of this project have more than ${limit} lines in ${month}. Use the report of the project and the ledgers of its quotas.`;
    return { message, wrongParts: [{ part: 'month', message }] };
  },
) {}

/** A way back through many months, of which this request has done a part. */
export class StatementNotReadyError extends /* @__PURE__ */ refusal(
  'statement-not-ready',
  'The ledgers since that month have many lines, and the statement is still being drawn up. Send the request again; each one goes on where the one before has ended.',
) {}
