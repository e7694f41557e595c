import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { LimitLevel } from '../record/job-folder.ts';
import { createGroups, removeGroups } from './job-groups.ts';

export interface Limits {
  readonly level: LimitLevel;
  /** Says for people which limits hold. */
  readonly sentence: string;
}

const sentences: Record<LimitLevel, string> = {
  systemd:
    'Memory and processes of each job are limited by a control group, in a scope of systemd.',
  'control-group': 'Memory and processes of each job are limited by a control group.',
  'control-group-v1': 'Memory and processes of each job are limited by control groups (version 1).',
  watched:
    'This machine offers no control groups to the service: the memory of each job is checked every ' +
    'second, and a job that takes more at once can still slow down the machine.',
};

/** Finds out which limits this machine offers, by trying them. */
export async function detectLimits(): Promise<Limits> {
  const level = await findLevel();
  return { level, sentence: sentences[level] };
}

async function findLevel(): Promise<LimitLevel> {
  if (process.platform !== 'linux') return 'watched';
  if (await canUseSystemd()) return 'systemd';
  if (await canUseGroups('control-group')) return 'control-group';
  return (await canUseGroups('control-group-v1')) ? 'control-group-v1' : 'watched';
}

/** Starts a command in a scope that is delegated to it: its own group, whose children it may limit. */
export function inScope(name: string, command: readonly string[]): string[] {
  const asUser = process.getuid?.() === 0 ? [] : ['--user'];
  const scope = ['--scope', '--quiet', '--collect', '--property=Delegate=yes', `--unit=${name}`];
  return ['systemd-run', ...asUser, ...scope, '--', ...command];
}

/** Systemd needs to be told which manager is that of the user. */
export function scopeEnvironment(): Record<string, string> {
  const uid = process.getuid?.();
  return uid === 0 ? {} : { XDG_RUNTIME_DIR: `/run/user/${uid}` };
}

const trialName = () => `slipway-trial-${randomUUID()}`;
const trialMs = 5_000;

/** Does in a scope what a shepherd does there (createGroups). */
const trial = `
  set -e
  scope=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
  mkdir "$scope/shepherd" "$scope/job"
  echo $$ > "$scope/shepherd/cgroup.procs"
  echo '+memory +pids' > "$scope/cgroup.subtree_control"
  echo 67108864 > "$scope/job/memory.max"
  echo 8 > "$scope/job/pids.max"
`;

async function canUseSystemd(): Promise<boolean> {
  const [program = '', ...parameters] = inScope(trialName(), ['/bin/sh', '-c', trial]);
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', ...scopeEnvironment() };
  return promisify(execFile)(program, parameters, { env, timeout: trialMs }).then(
    () => true,
    () => false,
  );
}

async function canUseGroups(level: LimitLevel): Promise<boolean> {
  try {
    const { folders } = createGroups(level, trialName(), {
      memoryBytes: 64 * 1024 * 1024,
      processes: 8,
    });
    await removeGroups(folders);
    return true;
  } catch {
    return false;
  }
}
