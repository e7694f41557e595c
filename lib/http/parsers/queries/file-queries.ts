import * as v from 'valibot';
import { mostJobs } from '#lib/batches/batch.ts';
import { cursor, limitTo } from '../fields.ts';

const mostOfPage = 1000;

const place = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[0-9]{1,4}$/, 'It must be the place of a job in the batch, from 0.'),
    v.transform(Number),
    v.maxValue(mostJobs - 1),
  ),
);

const mostFilesOfPage = 5000;

/** All files at once, or page by page, perhaps of one folder. */
export const filesQuery = v.object({
  folder: v.optional(
    v.pipe(
      v.string(),
      v.transform((path) => (path === '' || path.endsWith('/') ? path : `${path}/`)),
    ),
  ),
  limit: v.optional(limitTo(mostFilesOfPage)),
  cursor,
});

/** A file of each job of a batch, or of those from one place to another, both included. */
export const resultsQuery = v.object({
  name: v.optional(v.pipe(v.string(), v.minLength(1, 'It must not be empty.')), 'stdout'),
  first: place,
  last: place,
  limit: v.optional(limitTo(mostOfPage), String(mostOfPage)),
  cursor,
});
