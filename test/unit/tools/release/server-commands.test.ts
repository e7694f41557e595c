import { expect, it } from 'vitest';
import { sayHowToRun, serverCommands } from '#tools/release/server-commands.ts';
import manifest from '../../../../package.json' with { type: 'json' };

it.each([
  ['npm run backup -- FOLDER', 'slipway-server backup FOLDER'],
  ['npm run -s export -- [--out FILE]', 'slipway-server export [--out FILE]'],
  ['`npm run -s restore:unknown`', '`slipway-server restore:unknown`'],
  ['Start one with `npm start`.', 'Start one with `slipway-server start`.'],
  ['npm run bench -- http', 'npm run bench -- http'],
  ['npm run suite -- load', 'npm run suite -- load'],
])('says %s as %s', (text, told) => {
  expect(sayHowToRun(text)).toBe(told);
});

it('has the names of the scripts', () => {
  const scripts: Readonly<Record<string, string>> = manifest.scripts;
  for (const [name, { file }] of Object.entries(serverCommands)) {
    expect(scripts[name]).toContain(`${file}.ts`);
  }
});
