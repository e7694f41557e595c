import * as v from 'valibot';
import { causeCode } from '#lib/outbound/cause-code.ts';
import type { LaptopEdition } from '../measure/laptop-edition.ts';

/** A service, and how its users sign in. */
export type Place = Pick<LaptopEdition, 'url' | 'authorize'>;

/** Sends a request of a user and returns the text of its answer. Throws if it is refused. */
export type Ask = (user: string, path: string, init?: RequestInit) => Promise<string>;

class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(status: number, path: string, text: string) {
    super(`${status} from ${path}: ${text}`);
  }
}

export function openAsk({ url, authorize }: Place): Ask {
  return async (user, path, { headers, ...init } = {}) => {
    const all = { ...authorize(user), ...headers };
    const answer = await fetch(`${url}${path}`, { ...init, headers: all });
    const text = await answer.text();
    if (!answer.ok) throw new RefusedError(answer.status, path, text);
    return text;
  };
}

/** Reads all pages of a list. */
export async function* askPages(
  { url, authorize }: Place,
  user: string,
  path: string,
): AsyncGenerator<string> {
  let next: string | undefined = `${url}${path}`;
  while (next !== undefined) {
    const answer: Response = await fetch(next, { headers: authorize(user) });
    const text = await answer.text();
    if (!answer.ok) throw new RefusedError(answer.status, path, text);
    yield text;
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
}

export function explainFailure(error: unknown): string {
  return causeCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Reads the text of an answer by a schema. */
export function readJson<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(v.string(), v.parseJson(), schema);
}
