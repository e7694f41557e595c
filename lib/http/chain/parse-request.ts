import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { FindProject } from '#lib/projects/find-project.ts';
import { PathNotFoundError } from '../errors.ts';
import { type ApiContext, matchedOf } from './api-context.ts';
import type { Operation } from './operation.ts';

/** Reads the request as the operation that its path asks for declares. */
export function parseRequest(
  operations: Readonly<Record<string, Operation>>,
  findProject?: FindProject,
): MiddlewareObj<APIGatewayProxyEventV2, unknown, Error, ApiContext> {
  return {
    before: async function parseRequestBefore({ event, context }) {
      const operation = operations[matchedOf(context).operation];
      if (!operation) throw new PathNotFoundError();
      context.answer = await operation.prepare(event, context, findProject);
    },
  };
}
