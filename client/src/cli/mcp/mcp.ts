import { readNodeTime } from '../../format/amounts/amounts.ts';
import { speakEnglish } from '../../words/language.ts';
import { createReader } from '../session/options.ts';
import { createCommand, type Open } from '../session/session.ts';
import { phrase } from '../words/phrase.ts';

export function createMcp(open: Open) {
  return createCommand('mcp', phrase('service.letAnAssistantRunJobs'))
    .examples('slipway mcp --budget 2h --folder ./studies')
    .option('--budget <time>', phrase('service.timeItMayReserveWithout'), readBudgetOption)
    .option('--folder <folder>', phrase('service.folderItMayTakeFiles'))
    .option('--port <port>', phrase('service.portForAssistants'), readPort)
    .action(async ({ budget = 0, folder, port }, command) => {
      const session = open(command);
      // An assistant reads what follows, and it knows the tools by their English words.
      speakEnglish();
      // Load the MCP SDK only here, because it is ten times the size of the rest of the command.
      const { serveAssistant } = await import('./server.ts');
      await serveAssistant(session, { budget, folder, port });
    });
}

const readPort = createReader(
  (text) => (/^\d+$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  () => phrase('service.writeAPort'),
);

/**
 * Reads a budget and returns seconds. Refuses a number without a unit: it would count as hours, so
 * somebody who meant seconds would grant 3,600 times as much.
 */
export const readBudgetOption = createReader(
  (text) => {
    const seconds = readNodeTime(text) ?? -1;
    return seconds === 0 || (seconds > 0 && /[a-z]/i.test(text)) ? seconds : undefined;
  },
  () => phrase('service.writeATime'),
);
