import { expect } from 'vitest';
import type { Scene } from '../scene.ts';

export const sentOutputs: Scene = {
  name: 'sent-outputs',
  title:
    'a job sends files to a bucket and lists them; one that cannot send a file says which, and fails',
  async play(stage) {
    const { store } = stage.lab;
    const folder = `open/${stage.kind}/`;
    const sent = await stage.submit({
      script:
        "mkdir -p out/deep && printf hello >out/'a b.txt' && printf x >out/deep/c.txt && touch d",
      outputs: [{ files: 'out/**/*.txt', to: `s3://lab-data/${folder}` }],
    });
    const missing = await stage.submit({
      script: 'echo one >kept',
      outputs: [
        { files: 'lost', to: `s3://lab-data/${folder}` },
        { files: 'kept', to: `${stage.dataHost}/secret?signature=1` },
      ],
    });
    expect(await stage.waitForEnd(sent)).toMatchObject({ failed: false });
    expect(String(await store.read(`${folder}out/a b.txt`).then(Buffer.from))).toBe('hello');
    const lines = (await stage.readText(sent, 'slipway.outputs.jsonl')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { file: 'out/a b.txt', to: `s3://lab-data/${folder}out/a b.txt`, length: 5 },
      { file: 'out/deep/c.txt', to: `s3://lab-data/${folder}out/deep/c.txt`, length: 1 },
    ]);
    const names = await stage.listNames(sent);
    expect(names).toContain('d');
    expect(names.filter((name) => name.includes('.txt'))).toEqual([]);
    expect(await stage.waitForEnd(missing)).toMatchObject({ failed: true });
    const said = await stage.readText(missing, 'stderr');
    expect(said).toContain('The output lost could not be sent: there is no such file.');
    expect(said).toMatch(/The output kept could not be sent to 127\.0\.0\.1:\d+: HTTP 403\./);
    expect(said).not.toContain('signature');
    expect(await stage.readText(missing, 'kept')).toBe('one\n');
    const { reason } = await stage.readTimeline(missing);
    expect(reason).toMatch(/output .*could not be sent/);
  },
};
