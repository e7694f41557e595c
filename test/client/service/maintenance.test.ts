import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import '../../fixtures/captured-log.ts';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startRunningService } from '../fixtures/running-service.ts';
import { readTranscript } from '../fixtures/transcript.ts';

const page = readFileSync(new URL('../../../docs/maintenance.md', import.meta.url), 'utf8');
const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(page) ?? [];
// The day of the page will be over one day.
const lines = block.replaceAll('2026-', '2099-').replaceAll(/^slipway/gm, '$ slipway');

it('the commands of docs/maintenance.md work in order', async () => {
  const running = await startRunningService(60);
  onTestFinished(() => running.close());
  const home = openCommandHome();
  await home.run([...running.login, '--admin']);
  const outputs: string[] = [];
  for (const { words } of readTranscript(`\`\`\`console\n${lines}\`\`\`\n`)) {
    const { out, err, code } = await home.run(words.slice(1));
    expect([words, code, err]).toEqual([words, 0, '']);
    outputs.push(out);
  }
  expect(outputs).toEqual([
    expect.stringMatching(/^Maintenance of hpc_one from 2099-12-01 08:00 to 2099-12-01 16:00\./),
    expect.stringMatching(/hpc_one +2099-12-01 .* administrator +New firmware\./),
    expect.stringMatching(/^Withdrawn +2099-12-01 on hpc_one\./),
    expect.stringMatching(/^Paused +hpc_one\./),
    expect.stringMatching(/^Resumed +hpc_one\./),
  ]);
}, 60_000);
