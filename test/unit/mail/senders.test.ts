import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LinkNotValidError } from '#lib/mail/errors.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { openMailSender } from '#lib/mail/open-mail-sender.ts';
import { openMailSender as openSesSender } from '#lib/mail/ses-sender.ts';
import { readMail, startMailServer } from '#test/fixtures/mail-server.ts';
import { userId } from '#test/fixtures/names.ts';
import { answerWith, startReceiver } from '#test/fixtures/receiver.ts';

const from = 'Slipway <slipway@example.org>';
const mail = {
  to: 'ada@example.org',
  subject: 'Düsen',
  text: 'A text.',
  html: '<p>A text.</p>',
  id: 'a1',
  headers: { 'Auto-Submitted': 'auto-generated' },
};

it('SES gets a mail as it was written', async () => {
  const ses = mockClient(SESv2Client);
  ses.on(SendEmailCommand).resolves({});
  onTestFinished(() => ses.restore());
  await openSesSender({ from })(mail);
  const charset = 'UTF-8';
  const [sent, ...others] = ses.commandCalls(SendEmailCommand);
  expect(sent?.args[0].input).toEqual({
    FromEmailAddress: from,
    Destination: { ToAddresses: [mail.to] },
    Content: {
      Simple: {
        Subject: { Data: mail.subject, Charset: charset },
        Body: {
          Text: { Data: mail.text, Charset: charset },
          Html: { Data: mail.html, Charset: charset },
        },
        Headers: [{ Name: 'Auto-Submitted', Value: 'auto-generated' }],
      },
    },
  });
  expect(others).toEqual([]);
});

it('SES is asked once for each try, however it answers', async () => {
  const receiver = await startReceiver(answerWith(503));
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${receiver.port}`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openSesSender({ from })(mail)).rejects.toThrow();
  expect(receiver.received).toHaveLength(1);
});

it('a mail server gets each mail, from a sender that is opened with the first', async () => {
  const server = await startMailServer();
  const send = openMailSender({ from, smtpUrl: server.url, consoleUrl: undefined });
  await send(mail);
  await send({ ...mail, id: 'a2' });
  expect(server.received.map(({ raw }) => readMail(raw).header('Message-ID'))).toEqual([
    '<a1@example.org>',
    '<a2@example.org>',
  ]);
});

it('a link of an earlier version still works, up to the second in which it ends', () => {
  const passes = createMailPasses('a secret');
  const pass = { user: userId('306328'), email: mail.to };
  const end = new Date('2026-11-18T10:00:00Z');
  const link = '306328.YWRhQGV4YW1wbGUub3Jn.1794996000.AP7v1aQ6WaI1MKLrAlTmSN3ivRwWt_1kr7tggiIvvKw';
  expect(passes.write('confirm', pass, end)).toBe(link);
  expect(passes.read('confirm', link, new Date(end.getTime() - 1))).toEqual(pass);
  expect(() => passes.read('confirm', link, end)).toThrow(LinkNotValidError);
});
