import { Command } from '@commander-js/extra-typings';
import { writeDuration } from '../../format/write-duration.ts';
import type { Open } from '../session/open.ts';
import { showList } from '../session/show-list.ts';
import { writeExamples } from '../session/write-examples.ts';

export function createSystems(open: Open) {
  return new Command('systems')
    .description('list the HPC systems: what they take, what they allow, whether they are up')
    .option('--csv', 'as CSV')
    .addHelpText('after', writeExamples('slipway systems'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const client = session.connect();
      const [systems, status] = await Promise.all([client.listSystems(), client.readStatus()]);
      const stateOf = new Map(status.systems.map((system) => [system.name, system.status]));
      showList(session, {
        rows: systems,
        columns: [
          { head: 'SYSTEM', cell: ({ name }) => name },
          { head: 'STATE', cell: ({ name }) => stateOf.get(name) ?? 'unknown' },
          {
            head: 'TAKES',
            cell: ({ payload }) => (payload.required.includes('tool') ? '--tool' : '--command'),
          },
          { head: 'NODES', cell: ({ limits }) => `up to ${limits.node_number}`, align: 'right' },
          {
            head: 'CORES',
            cell: ({ limits }) => `${limits.core_number} each`,
            align: 'right',
            spare: 2,
          },
          {
            head: 'TIME',
            cell: ({ limits }) => writeDuration(limits.runtime * 3600),
            align: 'right',
          },
          {
            head: 'PROJECTS',
            cell: ({ projects }) => projects.join(', '),
            shrinks: true,
            spare: 1,
          },
        ],
        csv,
        none: 'The service has no systems.',
      });
    });
}
