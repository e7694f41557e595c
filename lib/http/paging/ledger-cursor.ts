import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { LedgerPage, LedgerPosition } from '#lib/quotas/statement/read-ledger.ts';
import type { LinesRequest } from '../parsers/parse-ledger.ts';
import { linkToPage } from './link-to-page.ts';
import type { ListMarks, PositionSigner } from './position-signer.ts';

/** The line behind which the ledger goes on, and the balance that is carried on. */
const Position = v.tuple([v.string(), v.number(), v.number()]);

/** Where a page begins, by its cursor; nothing where it is the first. */
export function readPosition(
  signer: PositionSigner,
  request: LinesRequest,
): LedgerPosition | undefined {
  if (request.cursor === undefined) return undefined;
  const position = signer.verify(marksOf(request), request.cursor);
  const text = Buffer.from(position, 'base64url').toString();
  const [key, seconds, kilobytes] = v.parse(Position, JSON.parse(text));
  return { key, left: { seconds, kilobytes } };
}

/** The header that leads on, where the ledger goes on. */
export function linkToOlder(
  event: APIGatewayProxyEventV2,
  signer: PositionSigner,
  request: LinesRequest,
  { next }: LedgerPage,
): Record<string, string> {
  if (!next) return {};
  const { key, left } = next;
  const text = JSON.stringify([key, left.seconds, left.kilobytes]);
  const position = Buffer.from(text).toString('base64url');
  return linkToPage(event, signer.sign(marksOf(request), position));
}

function marksOf({ list }: LinesRequest): ListMarks {
  const { user, hpc, project, since, until } = list;
  return ['ledger', user, hpc, project, since, until];
}
