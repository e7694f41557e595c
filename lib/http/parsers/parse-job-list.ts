import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { Catalog } from '../../catalog/catalog.ts';
import { type HpcSystem, listStages, type Project } from '../../catalog/hpc-system.ts';
import type { JobList } from '../../jobs/job-list.ts';
import type { Caller } from '../caller.ts';
import { readQuery } from './read-query.ts';

export interface JobListRequest {
  readonly list: JobList;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

const maxLimit = 1000;

const flag = (name: string) =>
  v.optional(
    v.pipe(
      v.picklist(['true', 'false'], `${name} is true or false.`),
      v.transform((text) => text === 'true'),
    ),
  );

const momentForm = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A bare date is a whole day: `since` means its beginning, `until` its end. */
const moment = (timeOfDay: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        isMoment,
        'A date (2026-01-31) or a moment with its zone (2026-01-31T08:00:00Z) is needed.',
      ),
      v.transform((text) => new Date(text.includes('T') ? text : `${text}T${timeOfDay}Z`)),
    ),
  );

/** A mistyped stage would otherwise read as "you have no such jobs". */
const querySchema = (stages: readonly string[]) =>
  v.object({
    limit: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^[0-9]{1,4}$/, `A whole number from 1 to ${maxLimit} is needed.`),
        v.transform(Number),
        v.minValue(1, 'At least 1 is needed.'),
        v.maxValue(maxLimit, `At most ${maxLimit} are given.`),
      ),
    ),
    cursor: v.optional(v.string()),
    stage: v.optional(
      v.picklist(stages, `There is no such stage here. There are: ${stages.join(', ')}.`),
    ),
    terminal: flag('terminal'),
    failed: flag('failed'),
    title: v.optional(v.pipe(v.string(), v.minLength(1, 'Some text to look for is needed.'))),
    since: moment('00:00:00.000'),
    until: moment('23:59:59.999'),
    order: v.optional(v.picklist(['asc', 'desc'], 'order is asc or desc.'), 'asc'),
  });

export function parseJobList(
  { systems }: Catalog,
  caller: Caller,
  path: { readonly hpc?: HpcSystem; readonly project_name?: Project },
  event: APIGatewayProxyEventV2,
): JobListRequest {
  const stages = [...new Set((path.hpc ? [path.hpc] : systems).flatMap(listStages))];
  const { limit, cursor, order, stage, title, ...rest } = readQuery(querySchema(stages), event);
  return {
    list: {
      owner: caller.userId,
      hpc: path.hpc?.name,
      project: path.project_name?.name,
      order,
      filter: { stage, titleContains: title, ...rest },
    },
    limit,
    cursor,
  };
}

/** JavaScript takes the 30th of February for a day of March: the day must come back as it was. */
function isMoment(text: string): boolean {
  const day = text.slice(0, 10);
  if (!momentForm.test(text) || Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) {
    return false;
  }
  return new Date(day).toISOString().startsWith(day);
}
