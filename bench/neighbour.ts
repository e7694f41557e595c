import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { machineCatalog } from '#lib/catalog/file/read-catalog.ts';
import { openIssuer } from '#local/issuer.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { catalogFile } from '#test/fixtures/catalog.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import {
  describeJob,
  type LaptopEdition,
  startLaptopEdition,
  submitJobs,
} from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder, runChild, startChild } from './measure/processes.ts';
import { type HostileKind, hostileKinds } from './neighbour/hostile-requests.ts';
import {
  describePhases,
  judgePhases,
  type Measured,
  type Round,
} from './neighbour/judge-phases.ts';
import { callOrdinarily } from './neighbour/ordinary-caller.ts';

const about = `Nobody waits for a hostile neighbour: measures how long an ordinary caller waits for answers of the
laptop edition (its state, jobs, quotas, and a job with a zip) alone, and then beside a caller who
sends the worst that is known, without a pause: each kind by itself, and all at once. Exits with 1 if
the 99th percentile is more than 3 times that of the ordinary caller alone, if a request of the
ordinary caller fails, or if the service ever uses 600 MB.
`;

const ordinary = '306328';
const hostile = '306329';
const filesOfListing = 300_000;
/** As many as one page has, so that lists are equally long from the start. */
const ownJobs = 120;
const warmUpSeconds = 5;
/** The phases take turns, so that other load on the machine affects all of them. */
const rounds = 4;
const patienceSeconds = 120;

/** What one phase is called, and the kinds of requests that the hostile caller sends in it. */
interface Phase {
  readonly name: string;
  readonly kinds: readonly HostileKind[];
}

export const part: Part = {
  about,
  options: {
    seconds: { usual: 20, about: 'how long each phase takes' },
    only: { about: `some of ${hostileKinds.join(', ')}` },
  },
  async measure({ count, text }) {
    const seconds = count('seconds');
    const phases = choosePhases(text('only'));
    const folder = createTemporaryFolder();
    const edition = await startLaptopEdition(folder, { CATALOG: writeCatalog(folder) });
    const filesPath = await prepareListing(edition, folder);
    await submitJobs(edition, ordinary, ownJobs);
    await callOrdinarily(edition, ordinary, warmUpSeconds);
    const scene = { folder, filesPath, seconds: seconds / rounds };
    const measured = phases.map(({ name }): Measured => ({ name, rounds: [] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, phase] of phases.entries()) {
        measured[place]?.rounds.push(await playRound(edition, scene, phase));
      }
    }
    await edition.stop();
    process.stdout.write(describePhases(measured));
    return judgePhases(measured);
  },
};

function choosePhases(only: string | undefined): Phase[] {
  const names = only?.split(',');
  const unknown = names?.find((name) => !hostileKinds.some((kind) => kind === name));
  if (unknown !== undefined) throw new Error(`There is no kind '${unknown}' of requests.`);
  const kinds = hostileKinds.filter((kind) => names?.includes(kind) ?? true);
  return [
    { name: 'alone', kinds: [] },
    ...kinds.map((kind) => ({ name: kind, kinds: [kind] })),
    ...(kinds.length > 1 ? [{ name: 'all at once', kinds }] : []),
  ];
}

const Catalog = v.looseObject({ systems: v.array(v.looseObject({ name: v.string() })) });

/** The ordinary jobs are simulated, so that they take nothing of the machine. Files are real ones. */
function writeCatalog(folder: string): string {
  const systemsOf = (file: string, name: string) =>
    v
      .parse(Catalog, JSON.parse(readFileSync(file, 'utf8')))
      .systems.filter((system) => system.name === name);
  const systems = [...systemsOf(catalogFile, 'hpc_one'), ...systemsOf(machineCatalog, 'hpc_two')];
  const file = join(folder, 'catalog.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify({ systems }));
  return file;
}

const Job = v.object({ job_id: v.string() });
const State = v.object({ terminal_stage: v.boolean() });

/** Runs a job of the hostile caller, and then puts files into its folder. Returns their path. */
async function prepareListing({ call }: LaptopEdition, folder: string): Promise<string> {
  const { payload, ...headers } = describeJob({
    ...{ command: undefined, tool: 'SHELL', init_file: 'main.sh', core_number: '1' },
  });
  const submitted = await call(hostile, '/jobs/hpc_two/proj_hpc_two_01/', {
    method: 'POST',
    headers: { ...headers, payload, 'content-type': 'application/zip' },
    body: buildZip([{ name: 'main.sh', content: 'true' }]),
  });
  const { job_id: jobId } = v.parse(Job, submitted);
  await pollUntil('the job has ended', patienceSeconds, async () => {
    const job = await call(hostile, `/jobs/hpc_two/proj_hpc_two_01/${jobId}/`);
    return v.parse(State, job).terminal_stage || undefined;
  });
  const work = join(folder, 'data/jobs/hpc_two', jobId, 'work');
  for (let n = 0; n < filesOfListing; n += 1) writeFileSync(join(work, `part-${n}.txt`), '');
  // Commits of the service would wait for the disk to take all of them.
  await runChild('sync', []);
  return `/files/hpc_two/proj_hpc_two_01/${jobId}/`;
}

interface Scene {
  readonly folder: string;
  readonly filesPath: string;
  readonly seconds: number;
}

async function playRound(edition: LaptopEdition, scene: Scene, { kinds }: Phase): Promise<Round> {
  const neighbour = kinds.length > 0 ? startHostile(edition.url, scene, kinds) : undefined;
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, edition.readMemory() ?? 0);
  }, 100);
  const answers = await callOrdinarily(edition, ordinary, scene.seconds);
  clearInterval(watch);
  const hostileAnswers = (await neighbour?.stop()) ?? new Map();
  // What the neighbour left behind must not count for the next phase.
  await sleep(1000);
  await callOrdinarily(edition, ordinary, 1);
  return { answers, megabytes, hostileAnswers };
}

const Counts = v.array(v.tuple([v.string(), v.number()]));

const program = join(import.meta.dirname, 'neighbour/run-hostile.ts');

/** A neighbour has a machine of their own, so theirs is a process that yields to all others. */
function startHostile(url: string, { folder, filesPath }: Scene, kinds: readonly HostileKind[]) {
  const issuer = openIssuer(join(folder, '.slipway'));
  const logFile = join(folder, 'hostile.log');
  rmSync(logFile, { force: true });
  const tokens = [false, true].map((administrator) =>
    issuer.issueToken({ user: hostile, administrator }),
  );
  const child = startChild({
    command: ['nice', '-n', '19', process.execPath, program, url, ...tokens, filesPath, ...kinds],
    folder,
    logFile,
  });
  return {
    async stop(): Promise<ReadonlyMap<string, number>> {
      await child.stop();
      return new Map(v.parse(Counts, JSON.parse(readFileSync(logFile, 'utf8'))));
    },
  };
}
