import { readCount, runPart } from '../measure/run-part.ts';
import { type LaptopEdition, startLaptopEdition } from '../measure/start-laptop-edition.ts';
import { createTemporaryFolder } from '../measure/temporary-folder.ts';
import { seedFolder } from '../seed/seed-folder.ts';
import { checkAnswer } from './check-answer.ts';
import { describeRows, isValid, listFigures, type Row } from './describe-rows.ts';
import { listTargets, readerJobs } from './list-targets.ts';
import { expectWrk, runWrk } from './run-wrk.ts';
import { startSlurmrestd } from './start-slurmrestd.ts';
import { startYardstick } from './start-yardstick.ts';
import type { Target } from './target.ts';

const help = `Requests a second, times of answers and memory of the laptop edition, started as npm
start starts it, with wrk (Debian: apt-get install wrk) at 1 and at 16 connections. Beside it, in
the same run, a bare node:http server that says how fast the machine is.

  npm run -s bench:http -- [--seconds 5] [--only single,quotas] [--slurm] [--json FILE]

  --seconds       how long each is measured (default 5)
  --only          some of systems, single, list-100, list-1000, quotas, submit, submit-zip
  --slurm         also slurmrestd, which it installs and starts (Debian, root)
`;

await runPart({
  help,
  options: {
    seconds: { type: 'string' },
    only: { type: 'string' },
    slurm: { type: 'boolean' },
  },
  async measure(wishes) {
    const seconds = readCount(wishes, 'seconds', 5);
    expectWrk();
    const folder = createTemporaryFolder();
    const yardstick = await startYardstick(folder);
    await seedFolder(folder, { kind: 'ended', count: readerJobs });
    const edition = await startLaptopEdition(folder);
    const slurm = wishes.slurm ? await startSlurmrestd() : undefined;
    const own = chooseTargets(await listTargets(edition), wishes.only);
    const rows: Row[] = [];
    for (const target of [yardstick.target, ...own]) {
      // Right after ours, so that both meet the machine in the same state.
      const theirs = slurm?.targets.find(({ name }) => name === `slurmrestd.${target.name}`);
      for (const each of theirs ? [target, theirs] : [target]) {
        const server = each.url === edition.url ? edition : undefined;
        rows.push(...(await measureTarget(each, folder, seconds, server)));
      }
    }
    await slurm?.stop();
    await edition.stop();
    await yardstick.stop();
    process.stdout.write(describeRows(rows));
    if (!rows.every(isValid)) process.exitCode = 1;
    return listFigures(rows);
  },
});

async function measureTarget(
  target: Target,
  folder: string,
  seconds: number,
  server: LaptopEdition | undefined,
): Promise<Row[]> {
  await checkAnswer(target);
  // Until the compiler has seen it.
  await runWrk(target, { folder, connections: 16, seconds: 2 });
  const rows: Row[] = [];
  for (const connections of [1, 16]) {
    const before = server?.readProcessorSeconds() ?? Number.NaN;
    const measured = await runWrk(target, { folder, connections, seconds });
    const used = (server?.readProcessorSeconds() ?? Number.NaN) - before;
    const processorMs = (used * 1000) / (measured.perSecond * seconds);
    rows.push({
      name: target.name,
      connections,
      ...measured,
      megabytes: server?.readMemory(),
      processorMs: Number.isFinite(processorMs) ? processorMs : undefined,
    });
  }
  return rows;
}

function chooseTargets(targets: readonly Target[], only: string | boolean | undefined): Target[] {
  if (typeof only !== 'string') return [...targets];
  const names = only.split(',');
  const unknown = names.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}.`);
  return targets.filter(({ name }) => names.includes(name));
}
