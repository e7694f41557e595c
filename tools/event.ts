import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIssuer } from '#local/issuer.ts';
import { runTool } from './run-tool.ts';

const directory = join(import.meta.dirname, '../test/events');
const names = readdirSync(directory).map((file) => file.replace(/\.json$/, ''));

const help = `Prints the example event of a function, with fresh tokens of the laptop edition.

  npm run -s event -- NAME

  NAME  ${names.join(', ')}
`;

await runTool(help, {}, async (_, [name = '']) => {
  if (!names.includes(name)) {
    throw new Error(`Unknown event '${name}'. Known events: ${names.join(', ')}`);
  }
  const issuer = openIssuer();
  const event = readFileSync(join(directory, `${name}.json`), 'utf8')
    .replace('<TOKEN>', issuer.issueToken({ user: '306328' }))
    .replace('<ADMIN_TOKEN>', issuer.issueToken({ user: '100001', administrator: true }));
  process.stdout.write(event);
  return 0;
});
