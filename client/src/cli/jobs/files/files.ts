import { Command } from '@commander-js/extra-typings';
import { writeSize } from '../../../format/write-size.ts';
import { placeOf } from '../../../index.ts';
import { describeNoFiles } from '../../../jobs/read-file.ts';
import type { Open } from '../../session/open.ts';
import { showList } from '../../session/show-list.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { findJob } from '../find/find-job.ts';

export function createFiles(open: Open) {
  return new Command('files')
    .description('list the files that a job has written')
    .argument('[job]', 'its id, or the beginning of it (default: the newest job)')
    .option('--csv', 'as CSV, in bytes')
    .addHelpText('after', writeExamples('slipway files AF17'))
    .action(async (wanted, { csv }, command) => {
      const session = open(command);
      const client = session.connect();
      const job = await findJob(client, wanted);
      const files = await client.listFiles(placeOf(job));
      showList(session, {
        rows: files,
        columns: [
          { head: 'FILE', cell: ({ filename }) => filename, shrinks: true },
          { head: 'SIZE', cell: ({ length }) => writeSize(length), align: 'right' },
        ],
        csv,
        none: describeNoFiles(job),
      });
    });
}
