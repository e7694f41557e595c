import { readMailSettings } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { pageQuery } from '#lib/http/parsers/fields.ts';
import { deliveries, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { presentNotifications } from '#lib/http/presenters/present-notifications.ts';
import { presentDelivery, presentWebhook } from '#lib/http/presenters/present-webhook.ts';
import { ok, respond } from '#lib/http/respond.ts';
import { newPreferences } from '#lib/mail/preferences.ts';
import { readPreferences } from '#lib/mail/read-preferences.ts';
import { readDeliveries } from '#lib/webhooks/deliveries/delivery-store.ts';
import { findWebhook, listWebhooks } from '#lib/webhooks/webhook-store.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const available = readMailSettings() !== undefined;
const cursors = openCursors(deliveries);

export const handler = apiHandler(endpoints, 'read-webhooks', {
  list: answer({}, async ({ caller }) =>
    ok((await listWebhooks(table, caller.userId)).map(presentWebhook)),
  ),
  one: answer({}, async ({ caller, path }) =>
    ok(presentWebhook(await findWebhook(table, caller.userId, path.webhook_id))),
  ),
  notifications: answer({}, async ({ caller: { userId, email: tokenEmail } }) => {
    const stored = await readPreferences(table, userId);
    const preferences = stored ?? newPreferences(userId, new Date());
    return ok(presentNotifications(preferences, { available, tokenEmail }));
  }),
  deliveries: answer(
    { query: pageQuery },
    async ({ caller, path, query: { limit, cursor }, linkTo }) => {
      const { id } = await findWebhook(table, caller.userId, path.webhook_id);
      const page = await readDeliveries(table, id, limit, cursors.verify(id, cursor));
      return respond(200, page.entries.map(presentDelivery), linkTo(cursors.sign(id, page.next)));
    },
  ),
});
