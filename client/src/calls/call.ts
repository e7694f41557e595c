import { createPaged, type Paged, readNext, walkPages } from './paged.ts';
import { parseAnswer, parseList, send } from './send.ts';
import type { CallOptions, Settings } from './settings.ts';

/** The input of an operation: names in its path, query parameters, and its body. */
export type Input = Readonly<Record<string, unknown>>;

/** Calls an operation of the table. */
export function call(
  settings: Settings,
  method: string,
  path: string,
  { body, ...named }: Input = {},
  options: CallOptions = {},
): Promise<unknown> | Paged<unknown> {
  const address = writePath(path, named);
  if (!method.endsWith('*')) return sendOnce(settings, method, address, body, options);
  const read = async (page: string) => {
    const answer = await send(settings, { method: 'GET', path: page, ...options });
    return { items: parseList(answer), next: readNext(answer.headers.get('link')) };
  };
  return createPaged(address, read, settings);
}

async function sendOnce(
  settings: Settings,
  method: string,
  path: string,
  body: unknown,
  options: CallOptions,
): Promise<unknown> {
  const isPost = method === 'POST';
  const answer = await send(settings, {
    method,
    path,
    ...(body === undefined
      ? isPost && withKey()
      : {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          repeatable: !isPost && !adds(body),
        }),
    ...options,
  });
  return parseAnswer(answer);
}

/** The service recognizes the key, so the request can be sent again. */
function withKey() {
  return { headers: { 'idempotency-key': crypto.randomUUID() }, repeatable: true };
}

/** A grant that adds would add twice. All other changes can be repeated. */
function adds(body: unknown): boolean {
  return 'add' in Object(body);
}

/** Joins all pages of a table, and keeps one line of names. */
export async function readCsv(
  settings: Settings,
  path: string,
  input: Input = {},
  { signal }: CallOptions = {},
): Promise<string> {
  const headers = { accept: 'text/csv' };
  let table = '';
  const read = async (page: string) => {
    const answer = await send(settings, { method: 'GET', path: page, headers, signal });
    return { body: answer.body, next: readNext(answer.headers.get('link')) };
  };
  const pages = walkPages(writePath(path, input), read, settings);
  for await (const { body } of pages) {
    table += table === '' ? body : body.slice(body.indexOf('\n') + 1);
  }
  return table;
}

/**
 * Fills in a path such as `/jobs/[{hpc}/[{project_name}/]]`. Names that it does not have become
 * query parameters.
 */
export function writePath(path: string, given: Input): string {
  const left = new Map(Object.entries(given).filter(([, value]) => value !== undefined));
  const wanted = chooseForm(path, left).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    if (value === undefined) throw new TypeError(`'${name}' is missing.`);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams([...left].map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${wanted}?${query}` : wanted;
}

/** Keeps a bracket if its first name is given. Then its other names are required too. */
function chooseForm(path: string, given: ReadonlyMap<string, unknown>): string {
  const parts = path.replaceAll(']', '').split('[');
  const last = parts.findLastIndex(
    (part, index) => index === 0 || given.has(/\{(\w+)\}/.exec(part)?.[1] ?? ''),
  );
  return parts.slice(0, last + 1).join('');
}
