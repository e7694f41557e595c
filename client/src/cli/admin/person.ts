import { writeDay } from '../../format/times/day.ts';
import { readUser } from '../session/options.ts';
import { confirm, createCommand, type Open } from '../session/session.ts';
import { cleanText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';
import { askReason, reasonWords } from './act.ts';

export function createExport(open: Open) {
  return createCommand('export', phrase('admin.exportAPerson'))
    .examples('slipway admin export 306328 > ada.json')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .action(async (user, _, command) => {
      const { client, screen } = open(command);
      screen.say(JSON.stringify(await client.exportUser({ user_id: user }), null, 2));
    });
}

export function createErase(open: Open) {
  return createCommand('erase', phrase('admin.eraseAPerson'))
    .examples('slipway admin erase 306328 --reason "she has left, and asks for it"')
    .argument('<user>', phrase('shared.userNumber'), readUser)
    .option('-y, --yes', phrase('shared.skipTheQuestion'))
    .option('--reason <text>', reasonWords())
    .action(async (user, options, command) => {
      const session = open(command);
      const reason = await askReason(session, options.reason);
      const { client, screen, print } = session;
      const { name } = await client.getUser({ user_id: user });
      const called = name === undefined ? user : `${user} (${cleanText(name)})`;
      screen.tell(phrase('admin.willBeErased', { name: called }), phrase('admin.willStay'));
      if (!(await confirm(session, phrase('admin.eraseThem'), options.yes))) {
        return screen.tell(phrase('admin.nothingWasErased'));
      }
      const erasure = await client.eraseUser({ user_id: user, reason });
      print(
        erasure,
        erasure.removed.length > 0
          ? phrase('admin.erasedThePerson', { user })
          : phrase('admin.unchangedWasErased', { user, day: writeDay(erasure.erased) }),
        phrase('admin.removeThemAtTheProvider', { day: writeDay(erasure.names_return) }),
      );
    });
}
