import { expect } from 'vitest';
import { hash } from '../fetching/data-server.ts';
import type { Scene } from '../scene.ts';

export const inputsByService: Scene = {
  name: 'inputs-by-service',
  title:
    'where jobs have nowhere to fetch from, the service does, and hands no job over that lacks a file',
  inputs: { fetchedBy: 'service' },
  async play(stage) {
    const from = (path: string) => `${stage.dataHost}/${path}`;
    const found = await stage.submit({
      script: 'cat beside; sha256sum <deep/letters',
      files: [{ name: 'beside', content: 'sent\n' }],
      inputs: [{ from: from('moved'), to: 'deep/letters', sha256: hash }],
    });
    const lost = await stage.submit({
      script: 'true',
      inputs: [{ from: from('missing'), to: 'deep/letters' }],
    });
    expect(await stage.waitForEnd(found)).toMatchObject({ failed: false });
    expect(await stage.readText(found, 'stdout')).toBe(`sent\n${hash}  -\n`);
    expect(await stage.waitForEnd(lost)).toMatchObject({ failed: true });
    const { reason } = await stage.readTimeline(lost);
    expect(reason).toMatch(
      /^The input deep\/letters could not be fetched from 127\.0\.0\.1:\d+: HTTP 404\.$/,
    );
    expect(await stage.countStarts(lost)).toBe(0);
    expect(await stage.system.readRuns(lost)).toEqual([]);
    expect(await stage.waitForCharge(lost)).toBe(0);
  },
};
