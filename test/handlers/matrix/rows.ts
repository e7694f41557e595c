import { type RouteName, routeNames, routes } from '#functions/routes.ts';
import { describedApi } from '../../fuzz/described-api.ts';
import type { Asked, MatrixWorld } from './world.ts';

/** A method with a form of its path, such as `GET /jobs/{hpc}/`. */
export interface Row {
  readonly id: string;
  /** The route that it belongs to. */
  readonly name: RouteName;
  readonly method: string;
  readonly template: string;
  readonly isPublic: boolean;
}

/** Lists every route with every form of its paths, from the table of routes. */
export function listRows(): Row[] {
  const rows = routeNames.flatMap((name) => {
    const { method, paths, access } = routes[name];
    return Object.values<string>(paths).flatMap((path) =>
      listForms(path).map((template) => ({
        id: `${method} ${template}`,
        name,
        method,
        template,
        isPublic: access === 'public',
      })),
    );
  });
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** `/jobs/[{hpc}/]` has two forms. */
function listForms(path: string): string[] {
  const parts = path.replaceAll(']', '').split('[');
  return parts.map((_, index) => parts.slice(0, index + 1).join(''));
}

/** Writes the request of a row that nobody who may ask it could object to. */
export function writeRequest(row: Row, world: MatrixWorld): Asked {
  const path = row.template.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => world.values[name] ?? missing(name),
  );
  const query = queries[row.id]?.(world) ?? '';
  const described = describedApi.operations.find(
    (each) => each.method === row.method && each.path === row.template,
  );
  const [body] = described?.bodies.filter(({ type }) => type !== 'application/zip') ?? [];
  const headers = Object.fromEntries(
    (described?.parameters ?? [])
      .filter((each) => each.in === 'header' && each.required)
      .map(({ name, example }) => [
        name,
        typeof example === 'string'
          ? example
          : JSON.stringify({ ...Object(example), ...fields(row) }),
      ]),
  );
  return {
    method: row.method,
    url: query === '' ? path : `${path}?${query}`,
    headers: {
      ...headers,
      ...(body && { 'content-type': body.type }),
      ...(row.id === 'POST /admin/quotas/' && { 'idempotency-key': 'a-key' }),
    },
    body:
      body &&
      (typeof body.example === 'string' ? body.example : JSON.stringify(body.example ?? undefined)),
  };
}

/** Of a batch, the description does not say in an example how many jobs it has. */
function fields({ template }: Row): object {
  return template.startsWith('/batches/') ? { count: '2' } : {};
}

/** What a request needs in its query, where it needs something. */
const queries: Readonly<Record<string, (world: MatrixWorld) => string>> = {
  'GET /handover/{job_id}/input/': (world) => `pass=${world.passFor('input')}`,
  'GET /handover/{job_id}/script/': (world) => `pass=${world.passFor('script')}&run=1`,
  'GET /handover/{job_id}/fetch/': (world) => `pass=${world.passFor('fetch')}&number=0`,
  'PUT /handover/{job_id}/send/': (world) =>
    `pass=${world.passFor('send')}&number=0&file=a&length=1&sha256=${'0'.repeat(64)}`,
  'PUT /handover/{job_id}/results/': (world) => `pass=${world.passFor('results')}&bytes=22`,
  'PUT /handover/{job_id}/folder/': (world) => `pass=${world.passFor('results')}&length=1&files=1`,
  'PUT /handover/{job_id}/output/': (world) => `pass=${world.passFor('output')}`,
  'POST /mail/confirm/': (world) => `pass=${world.mailPassFor('confirm')}`,
  'POST /mail/unsubscribe/': (world) => `pass=${world.mailPassFor('unsubscribe')}`,
  'POST /admin/accounts/': () => 'reason=because',
};

function missing(name: string): never {
  throw new Error(`There is no value for {${name}}.`);
}
