import { Option } from '@commander-js/extra-typings';
import { given } from '../../calls/given.ts';
import { tell } from '../../format/sentences/tell.ts';
import { writeAge } from '../../format/times/write-age.ts';
import { eventNames } from '../../generated/choices.ts';
import { term } from '../../words/terms.ts';
import { readCount } from '../session/options.ts';
import { createCommand, type Open, showList, take } from '../session/session.ts';
import { column, rightColumn } from '../terminal/screen.ts';
import { phrase } from '../words/phrase.ts';

const usualCount = 20;
const mostOfPage = 100;

export function createWebhooks(open: Open) {
  return createCommand('webhooks', phrase('service.manageNotificationsToYourOwn'))
    .examples(
      'slipway webhooks',
      'slipway webhooks add https://example.org/hook --events job.ended',
    )
    .addCommand(createList(open), { isDefault: true })
    .addCommand(createAdd(open))
    .addCommand(createDelete(open))
    .addCommand(createDeliveries(open))
    .addCommand(createTest(open))
    .addCommand(createResend(open));
}

function createList(open: Open) {
  return createCommand('list', phrase('service.listYourWebhooks'))
    .examples('slipway webhooks list')
    .option('--csv', phrase('service.printPlainCsv'))
    .action(async ({ csv }, command) => {
      const session = open(command);
      const rows = await session.client.listWebhooks();
      showList(session, rows, { csv, none: phrase('service.youHaveNoWebhooks') }, [
        column('service.headWebhook', ({ webhook_id: id }) => id),
        column('service.headAddress', ({ url }) => url, { shrinks: true }),
        column('service.headEvents', ({ events }) => events.join(', '), {
          shrinks: true,
          spare: 1,
        }),
      ]);
    });
}

function createAdd(open: Open) {
  return createCommand('add', phrase('service.addAWebhookAndShow'))
    .examples('slipway webhooks add https://example.org/hook')
    .argument('<url>', phrase('service.addressToSend'))
    .addOption(
      new Option('--events <names...>', phrase('service.namesOfEvents')).choices(eventNames),
    )
    .option('--description <words>', phrase('shared.purposeOption'))
    .action(async (url, { events, description }, command) => {
      const { client, print } = open(command);
      const body = { url, ...given({ events, description }) };
      const webhook = await client.createWebhook({ body });
      print(
        webhook,
        phrase('service.addedWebhook', { webhookId: webhook.webhook_id }),
        phrase('service.secretShownOnlyOnce', { secret: webhook.secret }),
      );
    });
}

function createDelete(open: Open) {
  return createCommand('delete', phrase('service.deleteAWebhook'))
    .examples('slipway webhooks delete 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11')
    .argument('<webhook>', phrase('service.webhookId'))
    .action(async (id, _, command) => {
      const { client, print } = open(command);
      const webhook = await client.deleteWebhook({ webhook_id: id });
      print(webhook, phrase('service.deletedWebhook', { url: webhook.url }));
    });
}

function createDeliveries(open: Open) {
  return createCommand('deliveries', phrase('service.listDeliveriesToAWebhook'))
    .examples('slipway webhooks deliveries 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11')
    .argument('<webhook>', phrase('service.webhookId'))
    .option('-l, --limit <count>', phrase('shared.numberOfRows'), readCount, usualCount)
    .option('-a, --all', phrase('service.allRowsOfTheLast'))
    .option('--csv', phrase('service.printPlainCsv'))
    .action(async (id, { limit, all, csv }, command) => {
      const session = open(command);
      const now = new Date();
      const most = all ? Infinity : limit;
      const asked = { webhook_id: id, limit: Math.min(most, mostOfPage) };
      const rows = await take(session.client.listDeliveries(asked), most);
      showList(session, rows, { csv, none: phrase('service.nothingWasSent'), most }, [
        column('service.headDelivery', ({ delivery_id: delivery }) => delivery, { spare: 1 }),
        column('shared.headWhen', ({ at }) => writeAge(at, now)),
        column('service.headEvent', ({ type }) => type),
        column('shared.headState', ({ state }) => term(state)),
        rightColumn('service.headTries', ({ tries }) => String(tries.length)),
        column(
          'service.headLast',
          ({ tries }) => String((tell(tries.at(-1)?.reason ?? '') || tries.at(-1)?.status) ?? ''),
          { shrinks: true },
        ),
      ]);
    });
}

function createTest(open: Open) {
  return createCommand('test', phrase('service.sendATest'))
    .examples('slipway webhooks test 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11')
    .argument('<webhook>', phrase('service.webhookId'))
    .action(async (id, _, command) => {
      const { client, print } = open(command);
      const delivery = await client.testWebhook({ webhook_id: id });
      print(delivery, phrase('service.theTestIsSentWithin'), seeTheAnswer(id));
    });
}

function createResend(open: Open) {
  return createCommand('resend', phrase('service.sendADeliveryAgain'))
    .examples(
      'slipway webhooks resend 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11 1794737160000-AF17D39A-ended',
    )
    .argument('<webhook>', phrase('service.webhookId'))
    .argument('<delivery>', phrase('service.deliveryId'))
    .action(async (id, deliveryId, _, command) => {
      const { client, print } = open(command);
      const delivery = await client.sendAgain({ webhook_id: id, delivery_id: deliveryId });
      print(
        delivery,
        phrase('service.theIsSentAgainWithin', { type: delivery.type }),
        seeTheAnswer(id),
      );
    });
}

function seeTheAnswer(id: string): string {
  return phrase('service.seeTheAnswer', { showLog: `slipway webhooks deliveries ${id}` });
}
