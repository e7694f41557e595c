import { InvalidArgumentError } from '@commander-js/extra-typings';
import {
  describeMaintenance,
  type MaintenanceWindow,
  nameByDay,
} from '../../format/systems/describe-maintenance.ts';
import { writeMoment } from '../../format/times/day.ts';
import { createCommand, type Open, showList } from '../session/session.ts';
import { column } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';
import { beginAct, reasonWords } from './act.ts';

export function createMaintenance(open: Open) {
  return createCommand('maintenance', phrase('admin.announceMaintenance'))
    .examples('slipway admin maintenance')
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createAnnounce(open))
    .addCommand(createWithdraw(open));
}

interface ListedWindow extends MaintenanceWindow {
  readonly hpc: string;
}

function createList(open: Open) {
  return createCommand('list', phrase('admin.listMaintenance'))
    .examples('slipway admin maintenance list')
    .option('--csv', phrase('shared.printCsvWithAllFields'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const systems = await session.client.reportSystems();
      const rows = systems.flatMap(({ name: hpc, maintenance = [] }): ListedWindow[] =>
        maintenance.map((window) => ({ hpc, ...window })),
      );
      showList(session, rows, { csv, none: phrase('admin.noMaintenance') }, [
        column('shared.headSystem', ({ hpc }) => hpc),
        column('shared.headName', ({ name }) => name),
        column('admin.headFrom', ({ from }) => writeMoment(from)),
        column('shared.headUntil', ({ until }) => (until === null ? '' : writeMoment(until))),
        column('admin.headSource', ({ source }) => source, { spare: 1 }),
        column('admin.headReason', ({ reason }) => reason, { shrinks: true }),
      ]);
    });
}

function createAnnounce(open: Open) {
  return createCommand('announce', phrase('admin.announceOrChangeMaintenance'))
    .examples(
      'slipway admin maintenance announce hpc_one --from "2026-12-01 08:00" --until "2026-12-01 16:00" --reason "New firmware."',
    )
    .argument('<hpc>', phrase('shared.nameOfAnHpcSystem'))
    .requiredOption('--from <time>', phrase('admin.whenItBegins'), readTime)
    .requiredOption('--until <time>', phrase('admin.whenItEnds'), readTime)
    .option('--name <name>', phrase('admin.nameOfMaintenance'))
    .option('--no-drain', phrase('admin.handOverUntilItBegins'))
    .option('--reason <text>', phrase('admin.reasonForUsers'))
    .action(async (hpc, { from, until, name = nameByDay(from), drain, ...options }, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const window = await client.announceMaintenance({
        hpc,
        window_name: name,
        body: { from, until, reason, drain },
      });
      print(window, describeMaintenance(hpc, window, new Date()));
    });
}

function createWithdraw(open: Open) {
  return createCommand('withdraw', phrase('admin.withdrawMaintenance'))
    .examples('slipway admin maintenance withdraw hpc_one 2026-12-01 --reason "it is done"')
    .argument('<hpc>', phrase('shared.nameOfAnHpcSystem'))
    .argument('<name>', phrase('admin.nameInTheList'))
    .option('--reason <text>', reasonWords())
    .action(async (hpc, name, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const window = await client.withdrawMaintenance({ hpc, window_name: name, body: { reason } });
      print(window, phrase('admin.withdrewMaintenance', { name, hpc }));
    });
}

export function createPause(open: Open) {
  return createCommand('pause', phrase('admin.pauseASystem'))
    .examples('slipway admin pause hpc_one --reason "The cooling has failed."')
    .argument('<hpc>', phrase('shared.nameOfAnHpcSystem'))
    .option('--reason <text>', phrase('admin.reasonForUsers'))
    .action(async (hpc, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const window = await client.pauseSystem({ hpc, body: { reason } });
      print(window, phrase('admin.paused', { hpc }));
    });
}

export function createResume(open: Open) {
  return createCommand('resume', phrase('admin.resumeASystem'))
    .examples('slipway admin resume hpc_one --reason "it works again"')
    .argument('<hpc>', phrase('shared.nameOfAnHpcSystem'))
    .option('--reason <text>', reasonWords())
    .action(async (hpc, options, command) => {
      const { reason, client, print } = await beginAct(open(command), options);
      const window = await client.resumeSystem({ hpc, body: { reason } });
      print(window, phrase('admin.resumed', { hpc }));
    });
}

/** Reads `2026-12-01 08:00` in the reader's time zone, or a moment with a zone of its own. */
function readTime(text: string): string {
  const at = new Date(/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/.test(text) ? text.replace(' ', 'T') : '');
  if (Number.isNaN(at.getTime())) {
    throw new InvalidArgumentError(phrase('admin.notATime', { text }));
  }
  return at.toISOString();
}
