import { parseArgs } from 'node:util';
import { isSubject } from '#lib/users/identity.ts';
import { openIssuer } from './issuer.ts';

const help = `Prints an access token for the laptop edition, and nothing else.

  npm run -s token -- --user 306328 [--admin] [--hours 12]

  --user   the numeric identifier of the user (default 306328); any text, such as
           alice@example.org, for a service that was started with USER_IDS=assigned
  --admin  an administrator's token
  --hours  how long it is valid (default 12)
`;

function main(): void {
  const { values } = parseArgs({
    options: {
      user: { type: 'string', default: '306328' },
      admin: { type: 'boolean', default: false },
      hours: { type: 'string', default: '12' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return;
  }
  const hours = Number(values.hours);
  if (!isSubject(values.user)) throw new Error('--user must have 1 to 255 characters.');
  if (!(hours > 0)) throw new Error('--hours must be a number above 0.');
  const token = openIssuer().issueToken({
    user: values.user,
    administrator: values.admin,
    hours,
  });
  process.stdout.write(`${token}\n`);
}

try {
  main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
