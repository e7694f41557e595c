import { readMailSettings } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { notificationsBody } from '#lib/http/parsers/bodies/notifications-body.ts';
import { presentNotifications } from '#lib/http/presenters/present-notifications.ts';
import { ok } from '#lib/http/respond.ts';
import { changePreferences } from '#lib/mail/change-preferences.ts';
import { MailNotSetUpError } from '#lib/mail/errors.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const available = readMailSettings() !== undefined;

export const handler = apiHandler(endpoints, 'change-notifications', {
  change: answer({ body: notificationsBody }, async ({ caller, body }) => {
    const { userId, email: tokenEmail } = caller;
    if (!available && typeof body.email === 'string') throw new MailNotSetUpError();
    const preferences = await changePreferences(table, userId, body, tokenEmail);
    return ok(presentNotifications(preferences, { available, tokenEmail }));
  }),
});
