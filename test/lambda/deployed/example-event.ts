import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issuer } from './issuer.ts';

const directory = join(import.meta.dirname, '../../events');

/** The example of a function, with tokens of this issuer in it. */
export function exampleEvent(name: string, user = '306328'): Record<string, unknown> {
  const text = readFileSync(join(directory, `${name}.json`), 'utf8')
    .replace('<TOKEN>', issuer.issueToken({ user }))
    .replace('<ADMIN_TOKEN>', issuer.issueToken({ user: '100001', administrator: true }));
  return JSON.parse(text);
}
