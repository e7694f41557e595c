import { expect } from 'vitest';
import { hash } from '../fetching/data-server.ts';
import type { Scene } from '../scene.ts';

export const fetchedInputs: Scene = {
  name: 'fetched-inputs',
  title:
    'a job finds the files that it names by address; one that lacks one says which, and never begins',
  async play(stage) {
    const from = (path: string) => `${stage.dataHost}/${path}`;
    const found = await stage.submit({
      script: 'sha256sum <deep/letters',
      inputs: [{ from: from('moved'), to: 'deep/letters', sha256: hash }],
    });
    const stored = await stage.submit({
      script: 'sha256sum <deep/letters',
      inputs: [{ from: 's3://lab-data/open/some letters.dat', to: 'deep/letters', sha256: hash }],
    });
    const unknown = await stage.submit({
      script: 'sleep 100',
      inputs: [{ from: 's3://lab-data/open/missing', to: 'deep/letters' }],
    });
    const lost = await stage.submit({
      script: 'sleep 100',
      inputs: [{ from: from('missing'), to: 'deep/letters' }],
    });
    expect(await stage.waitForEnd(found)).toMatchObject({ failed: false });
    expect(await stage.readText(found, 'stdout')).toBe(`${hash}  -\n`);
    expect(await stage.waitForEnd(stored)).toMatchObject({ failed: false });
    expect(await stage.readText(stored, 'stdout')).toBe(`${hash}  -\n`);
    expect(await stage.waitForEnd(unknown)).toMatchObject({ failed: true });
    expect(await stage.readText(unknown, 'stderr')).toMatch(
      /The input deep\/letters could not be fetched from 127\.0\.0\.1:\d+: HTTP 404\./,
    );
    expect(await stage.waitForEnd(lost)).toMatchObject({ failed: true });
    expect(await stage.readText(lost, 'stderr')).toMatch(
      /The input deep\/letters could not be fetched from 127\.0\.0\.1:\d+: HTTP 404\./,
    );
    expect(await stage.readText(lost, 'stdout')).toBe('');
    const { reason, ran_seconds: ran } = await stage.readTimeline(lost);
    expect(reason).toMatch(/input .*could not be fetched/);
    // A system counts the start of the script, too. The command would have run for 100 seconds.
    expect(ran ?? 0).toBeLessThan(20);
  },
};
