import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openJobFile } from '#lib/hpc/machine/files/job-files.ts';
import { listJobFiles } from '#lib/hpc/machine/files/list-files.ts';
import { removeFolder } from '#lib/hpc/machine/files/remove-folder.ts';
import { requestCancel } from '#lib/hpc/machine/record/job-folder.ts';
import { copyTree } from '#tools/backup/copy-tree.ts';
import {
  type Level,
  listByCommand,
  type Scene,
  type SceneJob,
  waitFor,
  waitForEnd,
  waitForFile,
  waitForLooks,
  waitForRunning,
} from './scene.ts';

/** Something that takes jobs of its own, and that only somebody outside of them can judge. */
export interface Ordeal {
  /** What a hostile job does, as the row of a table. */
  readonly what: string;
  /** Returns whether it worked. */
  readonly play: (scene: Scene) => Promise<boolean>;
  /** The levels that stop it. */
  readonly stoppedAt: readonly Level[];
  /** True if it depends on the moment whether it works at the others. */
  readonly needsLuck?: boolean;
}

const everywhere: readonly Level[] = ['plain', 'watched', 'sandboxed', 'mapped'];
const isRoot = process.getuid?.() === 0;

const megabyte = 1024 * 1024;
const memoryBytes = 150 * megabyte;
const outputBytes = 20 * megabyte;

/** Numbers that no other process sleeps for, by which those of an attempt are found. */
let sleeps = 700_000;
function nameSleep(): string {
  sleeps += 1;
  return `sleep ${sleeps}.${process.pid}`;
}

async function end(job: SceneJob): Promise<void> {
  requestCancel(job.folder);
  await waitForEnd(job);
}

/** Runs a command that must be stopped by itself, and returns whether it was not. */
async function passesLimit(
  scene: Scene,
  command: string,
  limits: Partial<SceneJob['order']['limits']>,
  cause: string,
): Promise<boolean> {
  const job = await scene.start(`${command}\ntouch over; sleep 8`, { limits });
  const exit = await waitForEnd(job);
  return exit.cause !== cause;
}

const fill = (bytes: number) => `perl -e '$_ = "x" x ${bytes}; select(undef, undef, undef, 8)'`;

/**
 * Leaves processes that look like those of another job, and ends that job. They die with it if its
 * shepherd takes them for its own.
 */
async function isTakenFor(
  scene: Scene,
  disguise: (victim: SceneJob, pid: number) => string,
): Promise<boolean> {
  const victim = await scene.start('touch up; exec sleep 600', { isVictim: true });
  await waitForFile(victim, 'up');
  const { job } = await waitForRunning(victim);
  const asleep = nameSleep();
  const attacker = await scene.start(`${disguise(victim, job.pid)} setsid ${asleep} & ${asleep}`);
  try {
    const disguised = await waitFor('both processes run', async () => {
      const found = listByCommand(asleep).filter((pid) => isSleep(pid));
      return found.length >= 2 ? found : undefined;
    });
    await end(victim);
    return disguised.some((pid) => !listByCommand(asleep).includes(pid));
  } finally {
    await end(attacker);
  }
}

/** Not the shell or the sandbox around it, whose command names it too. */
function isSleep(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep';
  } catch {
    return false;
  }
}

async function outlives(scene: Scene, command: (asleep: string) => string): Promise<boolean> {
  const asleep = nameSleep();
  await waitForEnd(await scene.start(command(asleep)));
  const left = listByCommand(asleep);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left.length > 0;
}

/** A file of the job and a file of the service take turns under one name. */
const swap = ({ data }: Scene) => `
  mkdir mine; echo mine > mine/table.sqlite; touch up
  while :; do
    ln -s '${data}' link; mv -T link shown; rm shown
    mv mine shown; mv shown mine
  done`;

const rounds = 300;

async function readsWhileSwapped(scene: Scene): Promise<boolean> {
  const job = await scene.start(swap(scene));
  await waitForFile(job, 'up');
  const id = `~${Buffer.from('shown/table.sqlite').toString('base64url')}`;
  let hasRead = false;
  for (let round = 0; round < rounds && !hasRead; round += 1) {
    const names = listJobFiles(job.folder).map(({ name }) => name);
    const read = await openJobFile({ folder: job.folder }, id)
      .then(({ stream }) => text(stream))
      .catch(() => '');
    hasRead = read.includes('SECRET') || names.some((name) => name.startsWith('shown/jobs'));
  }
  await end(job);
  return hasRead;
}

async function copiesWhileSwapped(scene: Scene): Promise<boolean> {
  const job = await scene.start(swap(scene));
  await waitForFile(job, 'up');
  const copy = join(scene.place, 'copy');
  let hasCopied = false;
  for (let round = 0; round < rounds && !hasCopied; round += 1) {
    await copyTree(job.folder, copy);
    const file = join(copy, 'work/shown/table.sqlite');
    const isFolder = lstatSync(dirname(file), { throwIfNoEntry: false })?.isDirectory();
    hasCopied = isFolder === true && existsSync(file) && readFileSync(file, 'utf8') === 'SECRET';
    rmSync(copy, { recursive: true, force: true });
  }
  await end(job);
  return hasCopied;
}

async function removesWhileSwapped(scene: Scene): Promise<boolean> {
  const job = await scene.start(swap(scene));
  await waitForFile(job, 'up');
  await removeFolder(`${job.folder}/work`).catch(() => undefined);
  await end(job);
  return !readFileSync(`${scene.data}/table.sqlite`, 'utf8').includes('SECRET');
}

export const ordeals: readonly Ordeal[] = [
  {
    what: 'has its memory counted for another job, by the id of that job',
    async play(scene) {
      const limits = { memoryBytes };
      const victim = await scene.start('touch up; exec sleep 600', { isVictim: true, limits });
      await waitForFile(victim, 'up');
      const disguise = `SLIPWAY_JOB_ID=${victim.id} SLIPWAY_MARK=${victim.id}`;
      const attacker = await scene.start(`${disguise} setsid ${fill(2 * memoryBytes)} & sleep 600`);
      await waitForLooks(victim, 4);
      await end(attacker);
      await end(victim);
      return (await waitForEnd(victim)).cause !== 'cancelled';
    },
    stoppedAt: everywhere,
  },
  {
    what: 'is taken for another job by its id',
    play: (scene) => isTakenFor(scene, ({ id }) => `SLIPWAY_JOB_ID=${id} SLIPWAY_MARK=${id}`),
    stoppedAt: everywhere,
  },
  {
    what: 'is taken for another job by the mark that it reads there',
    play: (scene) =>
      isTakenFor(
        scene,
        (_, pid) => `env $(tr '\\0' '\\n' < /proc/${pid}/environ | grep SLIPWAY_MARK)`,
      ),
    stoppedAt: ['plain', 'sandboxed', 'mapped'],
  },
  {
    what: 'outlives its job in a session of its own, without a parent',
    play: (scene) => outlives(scene, (asleep) => `setsid sh -c '${asleep} & exit 0'`),
    stoppedAt: everywhere,
  },
  {
    what: 'outlives its job, with an empty environment too',
    play: (scene) => outlives(scene, (asleep) => `env -i setsid sh -c '${asleep} & exit 0'`),
    stoppedAt: ['plain', 'sandboxed'],
    // A look of the shepherd between its two starts finds it.
    needsLuck: true,
  },
  {
    what: 'outlives its time by not listening',
    play: (scene) => passesLimit(scene, `trap '' TERM; sleep 60; sleep 60`, { seconds: 2 }, 'time'),
    stoppedAt: everywhere,
  },
  {
    what: 'takes more memory than it has',
    play: (scene) => passesLimit(scene, fill(3 * memoryBytes), { memoryBytes }, 'memory'),
    stoppedAt: everywhere,
  },
  {
    what: 'takes memory by a file without a name (memfd)',
    play: (scene) =>
      passesLimit(
        scene,
        `perl -e 'my $n = "x"; open(my $f, ">&=", syscall(${process.arch === 'arm64' ? 279 : 319}, $n, 0)); print $f "x" x ${megabyte} for 1 .. 300; select(undef, undef, undef, 8)'`,
        { memoryBytes, outputBytes: 1000 * megabyte },
        'memory',
      ),
    stoppedAt: everywhere,
  },
  {
    what: 'takes memory by files in /dev/shm',
    async play(scene) {
      const file = `/dev/shm/${scene.name}-large`;
      const write = `head -c ${2 * memoryBytes} /dev/zero > ${file}`;
      const job = await scene.start(`${write}; ls -l ${file}; sleep 4`, {
        limits: { memoryBytes, outputBytes: 1000 * megabyte },
      });
      await waitForEnd(job);
      rmSync(file, { force: true });
      const printed = readFileSync(`${job.folder}/stdout`, 'utf8');
      return printed.includes(String(2 * memoryBytes));
    },
    stoppedAt: ['plain', 'sandboxed'],
  },
  {
    what: 'starts more processes than it may',
    async play(scene) {
      const command = 'for i in $(seq 200); do sleep 4 & done; echo all of them';
      const job = await scene.start(command, { limits: { processes: 20 } });
      await waitForEnd(job);
      return readFileSync(`${job.folder}/stdout`, 'utf8').includes('all of them');
    },
    // The kernel does not count the processes of root.
    stoppedAt: isRoot ? ['plain', 'sandboxed', 'mapped'] : everywhere,
  },
  {
    what: 'writes more than its files may have',
    play: (scene) =>
      passesLimit(
        scene,
        `for i in 1 2 3; do head -c ${outputBytes / 2} /dev/zero > $i; done`,
        { outputBytes },
        'output',
      ),
    stoppedAt: everywhere,
  },
  {
    what: 'hides files below names that are not UTF-8',
    play: (scene) =>
      passesLimit(
        scene,
        `d=$(printf 'a\\377'); mkdir "$d"; for i in 1 2 3; do head -c ${outputBytes / 2} /dev/zero > "$d/$i"; done`,
        { outputBytes },
        'output',
      ),
    stoppedAt: everywhere,
  },
  {
    what: 'hides files in a folder that nobody can list',
    play: (scene) =>
      passesLimit(
        scene,
        `mkdir d; chmod 300 d; for i in 1 2 3; do head -c ${outputBytes / 2} /dev/zero > d/$i; done`,
        { outputBytes },
        'output',
      ),
    stoppedAt: everywhere,
  },
  {
    what: 'hides files by deleting them while they are open',
    play: (scene) =>
      passesLimit(
        scene,
        `exec 7> a 8> b 9> c; rm a b c; for i in 7 8 9; do head -c ${outputBytes / 2} /dev/zero >&$i; done`,
        { outputBytes },
        'output',
      ),
    stoppedAt: everywhere,
  },
  {
    what: 'shows a file of the service by a link that it swaps while files are read',
    play: readsWhileSwapped,
    stoppedAt: everywhere,
  },
  {
    what: 'has a file of the service copied by a link that it swaps during a backup',
    play: copiesWhileSwapped,
    stoppedAt: everywhere,
  },
  {
    what: 'has the files of the service removed by a link that it swaps meanwhile',
    play: removesWhileSwapped,
    stoppedAt: everywhere,
  },
];
