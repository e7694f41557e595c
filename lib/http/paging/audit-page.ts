import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import { actKinds } from '#lib/audit/act.ts';
import { readAudit } from '#lib/audit/read-audit.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { limitTo, moment } from '../parsers/query-fields.ts';
import { readQuery } from '../parsers/read-query.ts';
import { presentAct } from '../presenters/present-act.ts';
import { type ApiResponse, respond } from '../respond.ts';
import { linkToPage } from './link-to-page.ts';
import type { PositionSigner } from './position-signer.ts';

const maxActs = 100;

/** What the service does by itself it does in this name. */
const ownName = 'slipway';

const Query = v.object({
  limit: v.optional(limitTo(maxActs), String(maxActs)),
  cursor: v.optional(v.string()),
  since: moment('00:00:00.000'),
  until: moment('23:59:59.999'),
  by: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => isUserId(text) || text === ownName,
        `The number of an administrator is needed, or ${ownName}.`,
      ),
    ),
  ),
  user: v.optional(v.custom<UserId>(isUserId, 'The number of a user is needed.')),
  kind: v.optional(
    v.picklist(actKinds, `There is no such kind. There are: ${actKinds.join(', ')}.`),
  ),
});

/** A page of what administrators did, the newest first. */
export async function answerAuditPage(
  table: Table,
  signer: PositionSigner,
  event: APIGatewayProxyEventV2,
): Promise<ApiResponse> {
  const { limit, cursor, since, until, ...filter } = readQuery(Query, event);
  const list = { since, until, filter };
  const marks = ['audit', since, until, filter.by, filter.user, filter.kind];
  const before =
    cursor === undefined
      ? undefined
      : Buffer.from(signer.verify(marks, cursor), 'base64url').toString();
  const { acts, next } = await readAudit(table, list, limit, before);
  const link =
    next === undefined
      ? {}
      : linkToPage(event, signer.sign(marks, Buffer.from(next).toString('base64url')));
  return respond(200, acts.map(presentAct), link);
}
