import { writeSize } from '../../format/amounts/amounts.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { type JobResult, placeOf } from '../../index.ts';
import { findBatch } from '../session/find.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { outcome } from '../terminal/outcome.ts';
import { cleanText, createOutputCleaner } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

export function createResults(open: Open) {
  return createCommand('results', phrase('jobs.printAFileOfEachJob'))
    .examples('slipway results 5C6D', 'slipway results 5C6D result.json --json')
    .argument('[batch]', phrase('jobs.batchId'))
    .argument('[name]', phrase('jobs.nameOfTheFile'), 'stdout')
    .action(async (wanted, name, _, command) => {
      const session = open(command);
      const { client, json, print } = session;
      const batch = await findBatch(client, wanted);
      const found: JobResult[] = [];
      let isWhole = true;
      for await (const result of client.listResults({ ...placeOf(batch), name })) {
        isWhole &&= result.state !== 'unavailable';
        if (json) found.push(result);
        else printResult(session, result, name);
      }
      if (json) print(found);
      if (!isWhole) session.end(outcome.refused);
    });
}

/** Prints a heading as `tail` does, and the content or why there is none. */
function printResult({ host, screen }: Session, result: JobResult, name: string): void {
  const { index, job_id: jobId, content, encoding } = result;
  screen.say(screen.paint('bold', `==> ${index}  ${writeShortId(jobId)} <==`));
  if (content === undefined) {
    screen.say(screen.paint('dim', explain(result, name)), '');
    return;
  }
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  const cleaner = createOutputCleaner();
  host.out.write(host.out.isTTY ? cleaner.clean(bytes) + cleaner.end() : bytes);
  screen.say(...(bytes.at(-1) === lineEnd || bytes.length === 0 ? [''] : ['', '']));
}

const lineEnd = 10;

function explain({ state, job_id: jobId, length = 0 }: JobResult, name: string): string {
  const id = writeShortId(jobId);
  switch (state) {
    case 'active':
      return phrase('jobs.resultToCome');
    case 'apart':
      return phrase('jobs.resultApart', { size: writeSize(length), id, name: cleanText(name) });
    case 'unavailable':
      return phrase('jobs.resultUnavailable');
    default:
      return phrase('jobs.hasNoFile', { name: cleanText(name) });
  }
}
