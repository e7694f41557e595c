import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { readQuery } from './read-query.ts';

const Query = v.object({ expand: v.optional(v.picklist(['usage'], 'expand is usage.')) });

/** Whether quotas are shown with their usage. */
export function parseExpand(event: APIGatewayProxyEventV2): boolean {
  return readQuery(Query, event).expand === 'usage';
}
