import { type Input, writePath } from './call.ts';
import { readNext, walkPages } from './paged.ts';
import { send } from './send.ts';
import type { CallOptions, Settings } from './settings.ts';

/** All pages of a table as one, with one line of names. */
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
