import { openIssuer } from '#local/issuer.ts';
import { stateDirectory } from '#local/settings.ts';
import { runTool } from '../run-tool.ts';
import { exampleEvent, exampleNames } from './example-event.ts';

const known = exampleNames.toSorted().join(', ');

const help = `Prints the example event of a function, with fresh tokens of the laptop edition.

  npm run -s event -- NAME

  NAME  ${known}
`;

await runTool(help, {}, async (_, [name = '']) => {
  if (!exampleNames.includes(name)) {
    throw new Error(`Unknown event '${name}'. Known events: ${known}`);
  }
  const event = exampleEvent(name, { issuer: openIssuer(stateDirectory) });
  process.stdout.write(`${JSON.stringify(event, null, 2)}\n`);
  return 0;
});
