import type { Target } from './target.ts';

/** wrk counts only answers of 400 and above as errors: what is right is asked once, before. */
export async function checkAnswer({ name, url, requests }: Target): Promise<void> {
  const [request] = requests;
  if (!request) throw new Error(`${name} sends nothing.`);
  const { method, path, headers, body } = request;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body: new Uint8Array(body) }),
  });
  const text = await answer.text();
  const expected = method === 'POST' ? 201 : 200;
  if (answer.status !== expected) throw new Error(`${name} answers ${answer.status}: ${text}`);
}
