import { type DescribedRouteName, describedRouteNames, routes } from '#functions/routes.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Answer } from '#lib/http/answers/answer.ts';
import type { DescribedHandler } from '#lib/http/chain/api-handler.ts';
import {
  batchPayloadSchema,
  ComponentSchemas,
  type JsonSchema,
  namedSchemas,
  payloadSchema,
} from './component-schemas.ts';
import {
  type DescribedOperation,
  type Describing,
  describeOperation,
} from './describe-operation.ts';
import { ComponentResponses } from './describe-problems.ts';
import { expandPath } from './expand-path.ts';
import { job } from './words/jobs.ts';
import { tagOf, tags, wordsFor } from './words/words.ts';

export interface Description {
  readonly version: string;
  readonly catalog: Catalog;
  readonly load: (name: DescribedRouteName) => Promise<DescribedHandler>;
}

/** Describes the whole API as OpenAPI 3.1, from the functions' declarations and schemas. */
export async function describeApi({ version, catalog, load }: Description): Promise<JsonSchema> {
  const schemas = new ComponentSchemas(namedSchemas);
  schemas.refer(namedSchemas.Problem);
  const responses = new ComponentResponses();
  const described = await Promise.all(
    describedRouteNames.map(async (name) =>
      describeRoute(name, await load(name), { catalog, schemas }),
    ),
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Slipway',
      version,
      summary: 'A job-and-quota gateway for HPC systems',
      description: about,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags,
    paths: writePaths(described.flat(), responses),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      headers,
      responses: responses.all,
      schemas: {
        ...schemas.listWritten(),
        Payload: payloadSchema,
        BatchPayload: batchPayloadSchema,
      },
    },
  };
}

const about =
  'Send the token of your identity provider with every request, as `Authorization: Bearer …`. Only the status of the service and the requests of running jobs need none. Paths end with a slash; the service also accepts them without it. Answers carry an `ETag`; with `If-None-Match`, an unchanged answer is 304 without a body. HEAD works wherever GET does. Problems follow RFC 9457; their `type` is stable.';

const headers = {
  Location: {
    description: 'The address of the new or requested resource.',
    schema: { type: 'string', format: 'uri' },
    example: `https://slipway.example/jobs/hpc_one/proj_hpc_one_01/${job.job_id}/`,
  },
};

interface Described extends DescribedOperation {
  readonly method: string;
  readonly path: string;
}

function describeRoute(
  name: DescribedRouteName,
  { operations }: DescribedHandler,
  describing: Describing,
): Described[] {
  const route = routes[name];
  const answers: Readonly<Record<string, readonly Answer[]>> = route.answers;
  return Object.entries<string>(route.paths).flatMap(([key, whole]) => {
    const operation = operations[key];
    if (!operation) return [];
    const parts = {
      route,
      whole,
      operation,
      answers: answers[key] ?? [],
      words: wordsFor(name, key),
      tag: tagOf(name),
    };
    return expandPath(whole).map((path) => ({
      method: route.method.toLowerCase(),
      path: path.path,
      ...describeOperation(parts, path, describing),
    }));
  });
}

function writePaths(described: readonly Described[], refusals: ComponentResponses): JsonSchema {
  const byPath = Map.groupBy(described, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, each]) => [
      path,
      Object.fromEntries(
        each.map(({ method, operation, problems }) => [
          method,
          {
            ...operation,
            responses: { ...responsesOf(operation), ...refusals.describe(problems) },
          },
        ]),
      ),
    ]),
  );
}

function responsesOf({ responses }: JsonSchema): object {
  return typeof responses === 'object' && responses !== null ? responses : {};
}
