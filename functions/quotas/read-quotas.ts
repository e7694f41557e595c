import { catalog } from '#lib/catalog/catalog.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { ledgerLines, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { ledgerQuery, quotaQuery } from '#lib/http/parsers/queries/quota-queries.ts';
import { choosePresenter } from '#lib/http/presenters/present-quota.ts';
import { ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { readOwnQuota, readOwnQuotas, welcomeAndRead } from '#lib/quotas/welcome.ts';
import { openLoginNotes } from '#lib/users/logins/note-logins.ts';
import { openPersonNotes } from '#lib/users/person-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';
import { answerLedger } from './answer-ledger.ts';

const noteLogins = openLoginNotes(table, catalog.systems);
const notePerson = openPersonNotes(table);
const cursors = openCursors(ledgerLines);

export const handler = projectHandler(endpoints, 'read-quotas', table, {
  list: answer({ query: quotaQuery }, async ({ caller, path, query }) => {
    await noteLogins(caller.userId, caller.claims);
    const quotas = await readOwnQuotas(table, catalog, caller.userId, path.hpc?.name);
    // Clients ask for this when somebody signs in, and by now there is a profile.
    await notePerson(caller.userId, caller);
    return ok(quotas.map(choosePresenter(query.expand)));
  }),
  one: answer({ query: quotaQuery }, async ({ caller, path, query }) => {
    const account = { user: caller.userId, ...projectAt(path) };
    return ok(choosePresenter(query.expand)(await readOwnQuota(table, catalog, account)));
  }),
  ledger: answer(
    { query: () => ledgerQuery(new Date()) },
    async ({ caller: { userId: user }, path, ...request }) => {
      const account = { user, ...projectAt(path) };
      const read = () => answerLedger(table, cursors, account, request);
      return welcomeAndRead(table, catalog, user, read);
    },
  ),
});
