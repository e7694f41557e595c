import * as v from 'valibot';
import { jsonBody } from './json-body.ts';
import { plainText } from './plain-text.ts';
import { reason } from './reason-body.ts';

const maxDescriptionLength = 500;

const mostLivingJobs = 1_000_000;

const wrongNumber = `It must be a whole number from 1 to ${mostLivingJobs}.`;

/** What a project is for, and how many jobs one caller may have living in it. */
export const projectBody = jsonBody(
  v.pipe(
    v.object({
      description: v.optional(plainText(maxDescriptionLength)),
      max_living_jobs: v.optional(
        v.pipe(
          v.number(wrongNumber),
          v.check(
            (count) => Number.isInteger(count) && count >= 1 && count <= mostLivingJobs,
            wrongNumber,
          ),
        ),
      ),
      reason,
    }),
    v.transform(({ max_living_jobs: maxLivingJobs, ...others }) => ({ maxLivingJobs, ...others })),
  ),
);
