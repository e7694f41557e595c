import { existsSync } from 'node:fs';
import type { Level, Scene, SceneJob } from './scene.ts';

/** Something that one line of shell tries, while the job of somebody else runs. */
export interface Attempt {
  /** What a hostile job does, as the row of a table. */
  readonly what: string;
  /** Succeeds if it got what it wanted. */
  readonly line: (scene: Scene, victim: Victim) => string;
  /** Looks from outside whether it did, where the job itself cannot tell. */
  readonly worked?: (scene: Scene, victim: Victim) => boolean;
  /** The levels that stop it. */
  readonly stoppedAt: readonly Level[];
}

export interface Victim extends SceneJob {
  readonly pid: number;
  readonly shepherd: number;
}

/** What the victim does: it has secrets in a file, its environment, shared memory and a keyring. */
export const victimCommand = ({ name, key }: Scene): string => `
  umask 077; echo SECRET > mine.txt; echo SECRET
  echo SECRET > /dev/shm/${name}
  perl -e 'shmwrite(shmget(${key}, 8, 01600), "SECRET", 0, 6)'
  perl -e '${addKey(name)}'
  touch up; KEPT=SECRET exec sleep 600`;

/** Removes what outlives the victim. */
export const forgetVictim = ({ key }: Scene): string =>
  `perl -e 'my $id = shmget(${key}, 8, 0); shmctl($id, 0, 0) if defined $id'`;

const everywhere: readonly Level[] = ['plain', 'watched', 'sandboxed', 'mapped'];
const walls: readonly Level[] = ['sandboxed', 'mapped'];
const sandbox: readonly Level[] = ['sandboxed'];
/** What only root may do, so a service that runs as root has no other wall. */
const rights = process.getuid?.() === 0 ? walls : everywhere;

const seesSecret = (command: string) => `${command} | grep -q SECRET`;
const reads = (path: string) => seesSecret(`cat '${path}'`);

/** Numbers of system calls, because the shell has no words for them. */
const calls = {
  x64: { ptrace: 101, addKey: 248, keyctl: 250 },
  arm64: { ptrace: 117, addKey: 217, keyctl: 219 },
}[process.arch === 'arm64' ? 'arm64' : 'x64'];
const userKeyring = -4;
const search = 10;
const seize = 0x4206;

const addKey = (name: string) =>
  `my ($t, $n, $p) = ("user", "${name}", "SECRET"); syscall(${calls.addKey}, $t, $n, $p, 6, ${userKeyring})`;
const findKey = (name: string) =>
  `my ($t, $n) = ("user", "${name}"); exit(syscall(${calls.keyctl}, ${search}, ${userKeyring}, $t, $n, 0) > 0 ? 0 : 1)`;

/** The same one that listens: others write the names of abstract sockets differently. */
const node = `'${process.execPath}'`;

const connect = (address: string) =>
  `${node} -e 'require("net").connect(${address}).on("data", () => process.exit(0)).on("error", () => process.exit(1))'`;

export const attempts: readonly Attempt[] = [
  // Reading.
  {
    what: 'reads the table of the service',
    line: ({ data }) => reads(`${data}/table.sqlite`),
    stoppedAt: walls,
  },
  {
    what: 'reads the table by a link that leads to the data',
    line: ({ place }) => reads(`${place}/link/table.sqlite`),
    stoppedAt: walls,
  },
  {
    what: 'reads the table by a link that it makes itself',
    line: ({ data }) => `ln -s '${data}/table.sqlite' own && ${seesSecret('cat own')}`,
    stoppedAt: walls,
  },
  {
    what: 'reads the table by a hard link',
    line: ({ data }) => `ln '${data}/table.sqlite' hard && ${seesSecret('cat hard')}`,
    stoppedAt: walls,
  },
  {
    what: 'reads the key that signs tokens',
    line: ({ place }) => reads(`${place}/issuer-key.pem`),
    stoppedAt: walls,
  },
  {
    what: 'reads the backup',
    line: ({ place }) => reads(`${place}/backup/table.sqlite`),
    stoppedAt: walls,
  },
  {
    what: 'reads the environment file of the service',
    line: ({ place }) => reads(`${place}/slipway.env`),
    stoppedAt: walls,
  },
  {
    what: 'reads the environment of the service',
    line: () => `tr '\\0' '\\n' < /proc/${process.pid}/environ | grep -q PATH=`,
    stoppedAt: walls,
  },
  {
    what: 'reads keys in the home of the service',
    line: ({ place }) => reads(`${place}/home/id_ed25519`),
    stoppedAt: walls,
  },
  {
    what: 'reads the passwords of the machine',
    line: () => 'grep -q root: /etc/shadow',
    stoppedAt: rights,
  },
  {
    what: 'reads the files of another job',
    line: (_, { folder }) => reads(`${folder}/work/mine.txt`),
    stoppedAt: walls,
  },
  {
    what: 'reads the output of another job',
    line: (_, { folder }) => reads(`${folder}/stdout`),
    stoppedAt: walls,
  },
  {
    what: 'reads the order of another job',
    line: (_, { folder }) => `grep -q argv '${folder}/order.json'`,
    stoppedAt: walls,
  },
  {
    what: 'lists the jobs of others',
    line: ({ jobs }, { id }) => `ls '${jobs}' | grep -q ${id}`,
    stoppedAt: walls,
  },
  {
    what: 'watches the folder of another job (inotify)',
    line: (_, { folder }) => `${node} -e 'require("fs").watch("${folder}/work").close()'`,
    stoppedAt: walls,
  },
  // By the list of processes.
  {
    what: 'sees the processes of others, with their arguments',
    line: (_, { pid }) => `tr '\\0' ' ' < /proc/${pid}/cmdline | grep -q sleep`,
    stoppedAt: sandbox,
  },
  {
    what: 'reads the environment of another job',
    line: (_, { pid }) => reads(`/proc/${pid}/environ`),
    stoppedAt: walls,
  },
  {
    what: 'reads files by the working directory of another process',
    line: (_, { pid }) => reads(`/proc/${pid}/cwd/mine.txt`),
    stoppedAt: walls,
  },
  {
    what: 'reads files by the root of another process',
    line: ({ data }, { pid }) => reads(`/proc/${pid}/root${data}/table.sqlite`),
    stoppedAt: walls,
  },
  {
    what: 'reads the memory of another process',
    line: (_, { pid }) => `perl -e 'exit(open(my $f, "<", "/proc/${pid}/mem") ? 0 : 1)'`,
    stoppedAt: walls,
  },
  {
    what: 'traces another process (ptrace)',
    line: (_, { pid }) =>
      `perl -e 'exit(syscall(${calls.ptrace}, ${seize}, ${pid}, 0, 0) == 0 ? 0 : 1)'`,
    stoppedAt: walls,
  },
  {
    what: 'ends a process of another job',
    line: (_, { pid }) => `kill -0 ${pid}`,
    stoppedAt: walls,
  },
  {
    what: 'ends the shepherd of another job',
    line: (_, { shepherd }) => `kill -0 ${shepherd}`,
    stoppedAt: walls,
  },
  { what: 'ends the service', line: () => `kill -0 ${process.pid}`, stoppedAt: walls },
  {
    what: 'slows another job down (nice)',
    line: (_, { pid }) => `renice -n 1 -p ${pid}`,
    stoppedAt: walls,
  },
  // Writing.
  {
    what: 'writes into the data of the service',
    line: ({ data }) => `touch '${data}/x'`,
    stoppedAt: walls,
  },
  {
    what: 'writes into the folder of another job',
    line: (_, { folder }) => `touch '${folder}/work/x'`,
    stoppedAt: walls,
  },
  { what: 'writes beside its own folders', line: () => 'touch ../x', stoppedAt: walls },
  {
    what: 'forges the note of its own end',
    line: () => 'test -w .. && test -w ../claim',
    stoppedAt: walls,
  },
  {
    what: 'forges the note of the end of another job',
    line: ({ place }) => `echo '{}' > '${place}/spare/exit.json'`,
    stoppedAt: walls,
  },
  {
    what: 'asks for the end of another job',
    line: ({ place }) => `touch '${place}/spare/cancel'`,
    stoppedAt: walls,
  },
  {
    what: 'lets another job start twice',
    line: ({ place }) => `mv '${place}/spare/claim' '${place}/spare/claimed'`,
    stoppedAt: walls,
  },
  {
    what: 'changes the programs of the machine',
    line: () => 'test -w /usr/bin || test -w /usr/lib',
    stoppedAt: rights,
  },
  {
    what: 'changes the settings of the machine',
    line: () => 'test -w /etc || test -w /etc/passwd',
    stoppedAt: rights,
  },
  {
    what: 'changes the settings of the kernel',
    line: () => 'test -w /proc/sys/kernel/core_pattern || test -w /proc/sysrq-trigger',
    stoppedAt: rights,
  },
  {
    what: 'makes a device',
    line: () => 'mknod disk b 7 0 && rm disk',
    stoppedAt: rights,
  },
  {
    what: 'mounts a file system',
    line: () => 'mkdir -p m && mount -t tmpfs none m && umount m',
    stoppedAt: rights,
  },
  {
    what: 'leaves files in the /tmp of the machine',
    line: ({ name }) => `touch /tmp/${name} /var/tmp/${name}`,
    worked: ({ name }) => existsSync(`/tmp/${name}`) || existsSync(`/var/tmp/${name}`),
    stoppedAt: sandbox,
  },
  {
    what: 'leaves files in the shared memory of the machine',
    line: ({ name }) => `touch /dev/shm/${name}-own`,
    worked: ({ name }) => existsSync(`/dev/shm/${name}-own`),
    stoppedAt: sandbox,
  },
  // Other ways between processes.
  {
    what: 'reads shared memory of another job (POSIX)',
    line: ({ name }) => reads(`/dev/shm/${name}`),
    stoppedAt: walls,
  },
  {
    what: 'reads shared memory of another job (System V)',
    line: ({ key }) =>
      `perl -e 'my $id = shmget(${key}, 8, 0); exit(defined $id && shmread($id, my $text, 0, 6) ? 0 : 1)'`,
    stoppedAt: walls,
  },
  {
    what: 'finds a key of another job in the keyring of its user',
    line: ({ name }) => `perl -e '${findKey(name)}'`,
    stoppedAt: walls,
  },
  {
    what: 'talks to a Unix socket of the service',
    line: ({ place }) => connect(`"${place}/socket"`),
    stoppedAt: walls,
  },
  {
    what: 'talks to an abstract Unix socket of the machine',
    line: ({ name }) => connect(`"\\0${name}"`),
    stoppedAt: sandbox,
  },
  {
    what: 'talks to a port of the machine',
    line: ({ port }) => connect(`${port}, "127.0.0.1"`),
    stoppedAt: sandbox,
  },
  {
    what: 'talks to the sockets of services in /run',
    line: () => 'ls /run | grep -q .',
    stoppedAt: sandbox,
  },
  {
    what: 'leaves its control group',
    line: () =>
      'for each in $(ls -d /sys/fs/cgroup /sys/fs/cgroup/*/); do test -w "$each/cgroup.procs" && exit 0; done; exit 1',
    stoppedAt: rights,
  },
  {
    what: 'uses programs that have more rights (setuid)',
    line: () => "grep -q 'NoNewPrivs:.0' /proc/self/status",
    stoppedAt: sandbox,
  },
  {
    what: 'opens more files than a process may',
    line: () => `perl -e 'my @f; for (1 .. 70_000) { open($f[$_], "<", "/dev/null") or exit 1 }'`,
    stoppedAt: everywhere,
  },
];
