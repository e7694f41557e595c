import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureFolder } from '#lib/hpc/machine/files/measure-folder.ts';
import type { UnixLogin } from '#lib/hpc/machine/find-login.ts';
import { type FolderOrder, partsOfFolder } from '#lib/hpc/machine/record/job-folder.ts';
import { explainFullFolder } from '#lib/hpc/script/keep-folder.ts';
import { asAccount } from './wrap-command.ts';

const lookMs = 2_000;
/** The folder is measured for at most this part of the time. */
const measuringPart = 1 / 20;

/** Tells a job in its error output that the folder of its project is over its bound, once. */
export function watchProjectFolder(folder: string, { kept }: FolderOrder, until: AbortSignal) {
  if (kept) void tellWhenFull(folder, kept, until).catch(() => undefined);
}

type Kept = NonNullable<FolderOrder['kept']>;

async function tellWhenFull(folder: string, { path, maxBytes }: Kept, signal: AbortSignal) {
  while (!signal.aborted) {
    const start = performance.now();
    const { bytes } = await measureFolder(path);
    if (bytes > maxBytes) {
      const text = `slipway: ${explainFullFolder(bytes, maxBytes)}\n`;
      return appendFileSync(join(folder, partsOfFolder.stderr), text);
    }
    const pause = Math.max(lookMs, (performance.now() - start) / measuringPart);
    await sleep(pause, undefined, { signal, ref: false });
  }
}

/**
 * Lets the other members read and change what a job left, whatever modes it gave its files: those that
 * were moved there have the group of their account. Runs as that account, so that it can change no
 * file of anybody else, wherever a link leads.
 */
export async function shareWithMembers(order: FolderOrder, account: UnixLogin | undefined) {
  const { kept } = order;
  if (kept?.group === undefined || !account) return;
  const own = ['-user', String(account.uid), '!', '-type', 'l'];
  const share = [
    '-exec',
    'chgrp',
    `${kept.group}`,
    '{}',
    '+',
    '-exec',
    'chmod',
    'g+rwX',
    '{}',
    '+',
  ];
  const command = ['find', kept.path, ...own, ...share];
  const [program = '', ...parameters] = asAccount(account, command, order);
  const child = spawn(program, parameters, { stdio: 'ignore', timeout: shareMs });
  await once(child, 'close').catch(() => undefined);
}

const shareMs = 60_000;
