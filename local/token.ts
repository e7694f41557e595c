import { parseArgs } from 'node:util';
import { readEnvironment } from '#lib/config.ts';
import { isSubject } from '#lib/users/identity.ts';
import { openIssuer } from './issuer.ts';
import { sampleName } from './sample-names.ts';
import { EditionEnvironment, stateDirectory } from './settings.ts';
import { findWhereabouts } from './whereabouts.ts';

const help = `Prints an access token for the laptop edition, and nothing else.

  npm run -s token -- --user 306328 [--name "Ada Lovelace"] [--admin] [--group lab-42] [--claim name=value] [--hours 12]

  --user   the numeric identifier of the user (default 306328); any text, such as
           alice@example.org, for a service that was started with USER_IDS=assigned
  --name   what the user is called; a made-up name by default
  --admin  an administrator's token
  --group  a group of the user, for projects whose members have it; may be repeated
  --claim  another claim, such as preferred_username=ada, for systems whose catalog entry takes
           accounts from it (accountClaim); may be repeated
  --hours  how long it is valid (default 12)
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      user: { type: 'string', default: '306328' },
      name: { type: 'string' },
      admin: { type: 'boolean', default: false },
      group: { type: 'string', multiple: true, default: [] },
      claim: { type: 'string', multiple: true, default: [] },
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
  await refuseOwnIssuer();
  const token = openIssuer(stateDirectory).issueToken({
    user: values.user,
    administrator: values.admin,
    groups: values.group,
    claims: {
      name: values.name ?? sampleName(values.user),
      ...Object.fromEntries(values.claim.map(readClaim)),
    },
    hours,
  });
  process.stdout.write(`${token}\n`);
}

function readClaim(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error(`--claim ${text} must be a name and a value: preferred_username=ada.`);
  }
  return [name, value];
}

/** Says why a token from here would be useless, if the running service has an issuer of its own. */
async function refuseOwnIssuer(): Promise<void> {
  // If several run, one of them may accept the token.
  const choice = readEnvironment(EditionEnvironment);
  const running = await findWhereabouts(stateDirectory, choice).catch(() => undefined);
  if (running?.issuer === undefined) return;
  throw new Error(
    `Users of ${running.url} sign in at ${running.issuer}, so it accepts no tokens made here. Get one with \`slipway login\`, as docs/on-premises.md says.`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
});
