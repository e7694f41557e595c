import { Option } from '@commander-js/extra-typings';
import { writeAge } from '../../format/write-age.ts';
import { eventNames } from '../../generated/choices.ts';
import { readCount } from '../session/options.ts';
import { createCommand, type Open, showList, take } from '../session/session.ts';

const usualCount = 20;
const mostOfPage = 100;

export function createWebhooks(open: Open) {
  return createCommand(
    'webhooks',
    'manage notifications to your own address',
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
  return createCommand('list', 'list your webhooks', 'slipway webhooks list')
    .option('--csv', 'print CSV')
    .action(async ({ csv }, command) => {
      const session = open(command);
      showList(session, {
        rows: await session.client.listWebhooks(),
        columns: [
          { head: 'WEBHOOK', cell: ({ webhook_id: id }) => id },
          { head: 'ADDRESS', cell: ({ url }) => url, shrinks: true },
          { head: 'EVENTS', cell: ({ events }) => events.join(', '), shrinks: true, spare: 1 },
        ],
        csv,
        none: 'You have no webhooks. Add one: slipway webhooks add --help',
      });
    });
}

function createAdd(open: Open) {
  return createCommand(
    'add',
    'add a webhook and show its secret',
    'slipway webhooks add https://example.org/hook',
  )
    .argument('<url>', 'address to send to')
    .addOption(
      new Option('--events <names...>', 'names of events (default: all)').choices(eventNames),
    )
    .option('--description <words>', 'purpose')
    .action(async (url, { events, description }, command) => {
      const { client, print } = open(command);
      const webhook = await client.createWebhook({
        body: { url, ...(events && { events }), ...(description !== undefined && { description }) },
      });
      print(webhook, `Added ${webhook.webhook_id}.`, `Secret (shown only once): ${webhook.secret}`);
    });
}

function createDelete(open: Open) {
  return createCommand(
    'delete',
    'delete a webhook',
    'slipway webhooks delete 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11',
  )
    .argument('<webhook>', 'webhook id')
    .action(async (id, _, command) => {
      const { client, print } = open(command);
      const webhook = await client.deleteWebhook({ webhook_id: id });
      print(webhook, `Deleted ${webhook.url}.`);
    });
}

function createDeliveries(open: Open) {
  return createCommand(
    'deliveries',
    'list deliveries to a webhook, newest first',
    'slipway webhooks deliveries 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11',
  )
    .argument('<webhook>', 'webhook id')
    .option('-l, --limit <count>', 'number of rows', readCount, usualCount)
    .option('-a, --all', 'all rows of the last 30 days')
    .option('--csv', 'print CSV')
    .action(async (id, { limit, all, csv }, command) => {
      const session = open(command);
      const now = new Date();
      const most = all ? Infinity : limit;
      const asked = { webhook_id: id, limit: Math.min(most, mostOfPage) };
      showList(session, {
        rows: await take(session.client.listDeliveries(asked), most),
        columns: [
          { head: 'DELIVERY', cell: ({ delivery_id: delivery }) => delivery, spare: 1 },
          { head: 'WHEN', cell: ({ at }) => writeAge(at, now) },
          { head: 'EVENT', cell: ({ type }) => type },
          { head: 'STATE', cell: ({ state }) => state },
          { head: 'TRIES', cell: ({ tries }) => String(tries.length), align: 'right' },
          {
            head: 'LAST',
            cell: ({ tries }) => String(tries.at(-1)?.reason ?? tries.at(-1)?.status ?? ''),
            shrinks: true,
          },
        ],
        csv,
        none: 'Nothing was sent to this webhook yet.',
        most,
      });
    });
}

function createTest(open: Open) {
  return createCommand(
    'test',
    'send a test to a webhook',
    'slipway webhooks test 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11',
  )
    .argument('<webhook>', 'webhook id')
    .action(async (id, _, command) => {
      const { client, print } = open(command);
      const delivery = await client.testWebhook({ webhook_id: id });
      print(delivery, 'The test is sent within a minute.', `See the answer: ${showLog(id)}`);
    });
}

function createResend(open: Open) {
  return createCommand(
    'resend',
    'send a delivery again',
    'slipway webhooks resend 5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11 1794737160000-AF17D39A-ended',
  )
    .argument('<webhook>', 'webhook id')
    .argument('<delivery>', 'delivery id, as `slipway webhooks deliveries` lists it')
    .action(async (id, deliveryId, _, command) => {
      const { client, print } = open(command);
      const delivery = await client.sendAgain({ webhook_id: id, delivery_id: deliveryId });
      print(
        delivery,
        `The ${delivery.type} is sent again within a minute.`,
        `See the answer: ${showLog(id)}`,
      );
    });
}

function showLog(id: string): string {
  return `slipway webhooks deliveries ${id}`;
}
