import * as v from 'valibot';
import { mostLeaders } from '#lib/budgets/leaders.ts';
import { plainText, rowUser } from '../fields.ts';
import { jsonBody, reason } from './json-body.ts';

const maxDescriptionLength = 500;

const maxGroupLength = 255;

const mostActiveJobs = 1_000_000;

const wrongNumber = `It must be a whole number from 1 to ${mostActiveJobs}.`;

export const projectBody = jsonBody(
  v.pipe(
    v.object({
      description: v.optional(plainText(maxDescriptionLength)),
      max_living_jobs: v.optional(
        v.pipe(
          v.number(wrongNumber),
          v.check(
            (count) => Number.isInteger(count) && count >= 1 && count <= mostActiveJobs,
            wrongNumber,
          ),
        ),
      ),
      shared: v.optional(v.boolean('It must be true or false.')),
      members: v.optional(
        v.nullable(
          v.strictObject(
            { group: v.pipe(plainText(maxGroupLength), v.minLength(1, 'It must not be empty.')) },
            'Send {"group": "..."}, or null if nobody is a member by a group.',
          ),
        ),
      ),
      reason,
    }),
    v.transform(({ max_living_jobs: maxLivingJobs, ...others }) => ({ maxLivingJobs, ...others })),
  ),
);

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
