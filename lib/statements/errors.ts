import { refusalSaying } from '#lib/errors/domain-error.ts';

/** More lines than one request can read. */
export class StatementTooLongError extends /* @__PURE__ */ refusalSaying(
  'statement-too-long',
  (month: string, limit: number) => {
    const message = `The ledgers of this project have more than ${limit} lines in ${month}. Use the report of the project and the ledgers of its quotas.`;
    return { message, wrongParts: [{ part: 'month', message }] };
  },
) {}
