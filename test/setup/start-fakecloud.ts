import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { findFreePort } from '../engines/find-free-port.ts';
import { installFakecloud } from '../iam/party/install-fakecloud.ts';
import { account, region } from '../infra/policies/fill-in.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where an AWS answers that decides by IAM; nothing where it cannot be compiled. */
    fakecloud?: string;
  }
}

const startMs = 60_000;

export default async function startFakecloud(project: TestProject) {
  const installed = installFakecloud();
  if ('missing' in installed) {
    console.log(`skipped: fakecloud needs ${installed.missing}`);
    return undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'slipway-fakecloud-'));
  const log = join(directory, 'log');
  const address = `127.0.0.1:${await findFreePort()}`;
  const settings = ['--addr', address, '--region', region, '--account-id', account];
  // Keys that it did not hand out itself are refused, but for those of the administrator.
  const strict = ['--iam', 'strict', '--verify-sigv4', '--log-level', 'warn'];
  const party = spawn(installed.program, [...settings, ...strict], {
    cwd: directory,
    stdio: ['ignore', openSync(log, 'w'), openSync(log, 'a')],
  });
  const deadline = Date.now() + startMs;
  while (!(await answers(address))) {
    if (Date.now() > deadline) throw new Error(`fakecloud: ${readFileSync(log, 'utf8')}`);
    await setTimeout(50);
  }
  project.provide('fakecloud', `http://${address}`);
  return async () => {
    party.kill();
    await once(party, 'exit');
    rmSync(directory, { recursive: true });
  };
}

async function answers(address: string): Promise<boolean> {
  return fetch(`http://${address}/`).then(
    () => true,
    () => false,
  );
}
