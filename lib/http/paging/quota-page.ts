import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { isUserId } from '#lib/catalog/identifiers.ts';
import { listQuotas, type QuotaPosition } from '#lib/quotas/grants/list-quotas.ts';
import type { Table } from '#lib/table/table.ts';
import { limitTo } from '../parsers/query-fields.ts';
import { readQuery } from '../parsers/read-query.ts';
import { presentQuota } from '../presenters/present-quota.ts';
import { presentQuotaWithUsage } from '../presenters/present-usage.ts';
import { type ApiResponse, respond } from '../respond.ts';
import { linkToPage } from './link-to-page.ts';
import type { PositionSigner } from './position-signer.ts';

const maxQuotas = 100;

const Query = v.object({
  limit: v.optional(limitTo(maxQuotas), String(maxQuotas)),
  cursor: v.optional(v.string()),
  expand: v.optional(v.picklist(['usage'], 'expand is usage.')),
});

/** A page of everybody's quotas: of all projects, of those of a system, or of one. */
export async function answerQuotaPage(
  table: Table,
  { systems }: Catalog,
  signer: PositionSigner,
  path: { readonly hpc?: HpcSystem; readonly project_name?: Project },
  event: APIGatewayProxyEventV2,
): Promise<ApiResponse> {
  const { limit, cursor, expand } = readQuery(Query, event);
  const { hpc, project_name: project } = path;
  const marks = ['quotas', hpc?.name, project?.name];
  const after = cursor === undefined ? undefined : readPosition(signer.verify(marks, cursor));
  const projects = project ? [project] : (hpc ? [hpc] : systems).flatMap((each) => each.projects);
  const { quotas, next } = await listQuotas(table, projects, limit, after);
  const present = expand === 'usage' ? presentQuotaWithUsage : presentQuota;
  const link = next ? linkToPage(event, signer.sign(marks, writePosition(next))) : {};
  return respond(200, quotas.map(present), link);
}

function writePosition({ project, user }: QuotaPosition): string {
  return `${project}-${user}`;
}

function readPosition(position: string): QuotaPosition {
  const [project = '', user = ''] = position.split('-');
  if (!isUserId(user)) throw new Error('A signed place names no user.');
  return { project: Number(project), user };
}
