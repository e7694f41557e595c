import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { jobId, userId } from '#test/fixtures/names.ts';
import { hpcOne } from '#test/fixtures/samples.ts';
import { issuer } from './issuer.ts';

const directory = join(import.meta.dirname, '../../events');

/** What the examples call a job, a batch, a webhook and a request. */
export const exampleIds = {
  job: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
  batch: '019A8B6C-4E00-7A10-9C55-1F0A7D5C2E11',
  webhook: '0b3cbf0a-58a5-4ba3-9b0f-0e8f6f5b1d0e',
  request: '306328-01a1de53db405c6a1f0e9b7d4c21a3f0',
};

export type ExampleIds = Readonly<typeof exampleIds>;

const passes = createPasses(issuer.passSecret);

/** Reads the example of a function, with tokens and passes that hold, and others' ids if given. */
export function exampleEvent(
  name: string,
  user = '306328',
  ids: Partial<ExampleIds> = {},
): Record<string, unknown> {
  const { job, batch, webhook, request } = { ...exampleIds, ...ids };
  const text = readFileSync(join(directory, `${name}.json`), 'utf8')
    .replaceAll(exampleIds.job, job)
    .replaceAll(exampleIds.batch, batch)
    .replaceAll(exampleIds.webhook, webhook)
    .replaceAll(exampleIds.request, request)
    .replace('<TOKEN>', issuer.issueToken({ user }))
    .replace('<ADMIN_TOKEN>', issuer.issueToken({ user: '100001', administrator: true }));
  const [, purpose] = /"rawPath": *"\/handover\/[^/]+\/(input|results)\//.exec(text) ?? [];
  if (text.includes('/mail/unsubscribe/')) {
    return JSON.parse(text.replace(/pass=[^"&]+/, `pass=${writeMailPass(user)}`));
  }
  return JSON.parse(
    purpose ? text.replace(/pass=[^"&]+/, `pass=${writePass(purpose, job)}`) : text,
  );
}

function writeMailPass(user: string): string {
  const endsAt = new Date(Date.now() + 3_600_000);
  const pass = { user: userId(user), email: 'ada@example.org' };
  return createMailPasses(issuer.passSecret).write('unsubscribe', pass, endsAt);
}

function writePass(purpose: string, job: string): string {
  return passes.write({
    purpose: purpose === 'input' ? 'input' : 'results',
    account: { user: userId('306328'), ...hpcOne },
    jobId: jobId(job),
    endsAt: new Date(Date.now() + 3_600_000),
  });
}
