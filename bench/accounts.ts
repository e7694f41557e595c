import { openInProcessTable } from '#test/engines/in-process.ts';
import { seedAccounts } from '#test/fixtures/accounts.ts';
import { walkAccounts } from '#test/fixtures/walk-accounts.ts';

/**
 * `npm run suite -- accounts` pages through a hundred thousand accounts as an administrator would.
 * Fails if an account is missing or comes twice, if the table was scanned, or if the last page
 * costs another amount than the first.
 */
const accounts = 100_000;
const perPage = 100;

const { table, close } = await openInProcessTable('slipway-accounts');
const began = performance.now();
await seedAccounts(table, accounts);
const seeded = performance.now();
const { quotas, costs, commands } = await walkAccounts(table, perPage);
const walked = performance.now();
await close();

const units = costs.map(({ readUnits }) => readUnits);
const distinct = new Set(quotas.map(({ user, project }) => `${project.number} ${user}`)).size;
const [first, last] = [units[0], units.at(-1)];
process.stdout.write(
  `${[
    `${accounts} accounts put in ${seconds(began, seeded)}`,
    `${units.length} pages of ${perPage} read in ${seconds(seeded, walked)}`,
    `${quotas.length} accounts shown, ${distinct} of them different`,
    `read units: first page ${first}, last page ${last}, most ${Math.max(...units)}, all ${units.reduce((sum, each) => sum + each, 0)}`,
    `commands: ${[...commands].sort().join(', ')}`,
  ].join('\n')}\n`,
);

const faults = [
  quotas.length !== accounts && 'Not all accounts were shown.',
  distinct !== accounts && 'An account was shown twice.',
  commands.has('ScanCommand') && 'The table was scanned.',
  first !== last && 'The last page does not cost what the first does.',
].filter((fault) => fault !== false);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function seconds(from: number, to: number): string {
  return `${((to - from) / 1000).toFixed(1)} s`;
}
