import * as v from 'valibot';
import { mostLeaders } from '#lib/budgets/leaders.ts';
import { rowUser } from './fields.ts';
import { jsonBody, reason } from './json-body.ts';

/** Names all leaders of a project. An empty list means that nobody leads it. */
export const leadersBody = jsonBody(
  v.object({
    leaders: v.pipe(
      v.array(rowUser, 'It must be a list of user numbers, as text.'),
      v.maxLength(mostLeaders, `A project has at most ${mostLeaders} leaders.`),
    ),
    reason,
  }),
);
