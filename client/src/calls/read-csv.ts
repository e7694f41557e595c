import { type Input, writePath } from './call.ts';
import { readNext } from './paged.ts';
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
  for (let page: string | undefined = writePath(path, input); page !== undefined; ) {
    const answer = await send(settings, { method: 'GET', path: page, headers, signal });
    table += table === '' ? answer.body : answer.body.slice(answer.body.indexOf('\n') + 1);
    page = readNext(answer.headers.get('link'));
  }
  return table;
}
