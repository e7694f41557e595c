import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenStagedKind, StagedJob } from '../connectors/staged-system.ts';
import { stageUnicore, type UnicoreControls } from '../connectors/stages/unicore.ts';
import { openBridge } from './bridge.ts';
import { Caller, type JobProperties } from './caller.ts';
import { startUnicore, type Unicore } from './server.ts';

/** A real UNICORE/X with its embedded target system, which all scenes share. */
export const openRealUnicore: OpenStagedKind = async () => {
  const unicore = await startUnicore({ storageDelayMs: 500, jobLimit: 40 });
  const bridge = await openBridge(unicore);
  const { user: username, password } = unicore;
  return {
    kind: 'unicore',
    openSystem: () =>
      stageUnicore(
        { baseUrl: bridge.baseUrl, credentials: { username, password } },
        control(unicore, new Caller(unicore)),
      ),
    async close() {
      await bridge.close();
      await unicore.close();
    },
  };
};

function control(unicore: Unicore, caller: Caller): UnicoreControls {
  const find = async ({ jobId }: StagedJob): Promise<string[]> => {
    const { jobs } = await caller.read<{ jobs: string[] }>(`/jobs?tags=${jobId}`);
    return jobs.map((address) => address.split('/').at(-1) ?? '');
  };
  const hold = async (): Promise<never> => {
    throw new Error('The embedded target system has no queue that could be held.');
  };
  return {
    holdQueue: hold,
    releaseQueue: hold,
    async listActive(job) {
      const ids = await find(job);
      const read = await Promise.all(ids.map((id) => caller.read<JobProperties>(`/jobs/${id}`)));
      return read
        .filter(({ status }) => status !== 'SUCCESSFUL' && status !== 'FAILED')
        .map(({ status }) => status);
    },
    listLeft: find,
    async readRuns(job) {
      const [id] = await find(job);
      const note = id === undefined ? '' : readNote(unicore, id);
      const [, began] = /^began 1 (\d+)/.exec(note) ?? [];
      const [, ended] = /^ended 1 (\d+)/m.exec(note) ?? [];
      if (began === undefined) return [];
      return [{ seconds: Number(ended ?? began) - Number(began), isLost: false }];
    },
  };
}

function readNote(unicore: Unicore, id: string): string {
  const file = join(unicore.directoryOf(id), 'slipway.runs');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
