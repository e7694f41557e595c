import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { limitTo } from './query-fields.ts';
import { readQuery } from './read-query.ts';

const maxUsers = 100;

const userQuery = v.object({
  limit: v.optional(limitTo(maxUsers), String(maxUsers)),
  cursor: v.optional(v.string()),
});

export function parseUserList(event: APIGatewayProxyEventV2) {
  return readQuery(userQuery, event);
}
