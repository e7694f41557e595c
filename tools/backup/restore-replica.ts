import { resolve } from 'node:path';
import { readCatalog } from '#lib/catalog/file/read-catalog.ts';
import { CatalogEnvironment, readEnvironment } from '#lib/config.ts';
import { LocalEnvironment } from '#local/settings.ts';
import { flag, runTool, text } from '../run-tool.ts';
import { takeReplicaOver, tryReplica } from './take-replica-over.ts';

const help = `Restores the table from its replica, so that this machine takes the service over (docs/standby.md).

  npm run restore -- [--from FOLDER]
  npm run restore -- --check [--max-age SECONDS] [--from FOLDER]

  --from     the folder of the replica (default: REPLICA_DIR)
  --check    only tries the replica: restores it into a temporary folder (TMPDIR), checks every page, and
             removes it again. It needs no service, and disturbs none
  --max-age  with --check: fails if the replica is older than that (default 60)

It raises the fence first: from then on, the service of the other machine ends within seconds, and does
not start again with its data. Then it restores the table into DATA_DIR, which must have none, and
prepares it as restore:prepare does. Start the service afterwards.
`;

const options = {
  from: text,
  check: flag,
  'max-age': { type: 'string', default: '60' },
} as const;

await runTool(help, options, async ({ from, check, 'max-age': maxAge }) => {
  const { REPLICA_DIR, DATA_DIR } = readEnvironment(LocalEnvironment);
  const place = from ?? REPLICA_DIR;
  if (place === undefined) throw new Error('Name the folder of the replica with --from.');
  if (!/^[1-9][0-9]{0,8}$/.test(maxAge)) throw new Error('--max-age must be a number of seconds.');
  const began = performance.now();
  const passed = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  if (check) {
    const { ageSeconds } = await tryReplica(resolve(place));
    const isOld = ageSeconds > Number(maxAge);
    process.stdout.write(
      `The replica in ${place} is whole (${passed()}). It is ${ageSeconds.toFixed(0)} s old${isOld ? ', which is too old: is the service running, and can it write there?' : '.'}\n`,
    );
    return isOld ? 1 : 0;
  }
  const { CATALOG } = readEnvironment(CatalogEnvironment);
  const { systems } = readCatalog(CATALOG);
  const done = await takeReplicaOver(resolve(place), resolve(DATA_DIR), systems);
  process.stdout.write(
    `This machine has taken over (epoch ${done.epoch}). The other one may not write any more.\n` +
      `Restored ${DATA_DIR} in ${passed()}, with every change before ${done.until}.\n` +
      `${done.doubted} waiting jobs will be looked up on their systems before they are handed over.\n` +
      `The next job is number ${done.next.job}, the next quota ${done.next.quota}. Start the service now.\n`,
  );
  return 0;
});
