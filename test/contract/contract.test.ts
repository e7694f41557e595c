import { afterAll, describe } from 'vitest';
import { administrationSuite } from './suites/administration.ts';
import { catalogSuite } from './suites/catalog.ts';
import { deletingSuite } from './suites/deleting.ts';
import { errorsSuite } from './suites/errors.ts';
import { everybodySuite } from './suites/everybody.ts';
import { filesSuite } from './suites/files.ts';
import { gatewayLimitsSuite } from './suites/gateway-limits.ts';
import { grantingSuite } from './suites/granting.ts';
import { idempotencySuite } from './suites/idempotency.ts';
import { identitySuite } from './suites/identity.ts';
import { ledgerSuite } from './suites/ledger.ts';
import { pagingSuite } from './suites/paging.ts';
import { quotasSuite } from './suites/quotas.ts';
import { readingSuite } from './suites/reading.ts';
import { submittingSuite } from './suites/submitting.ts';
import { uploadsSuite } from './suites/uploads.ts';
import { webhooksSuite } from './suites/webhooks.ts';
import { explainSkips, openTargets } from './target.ts';

/**
 * The contract, case by case, over HTTP. One file, because with BASE_URL all cases share one
 * account, and what one of them counts another must not change at the same moment.
 */
const targets = await openTargets();

afterAll(() => targets.close());

for (const target of targets.all) {
  const skips = explainSkips(target);
  if (skips !== undefined) console.info(skips);
}

describe.each([...targets.all])('$name', (target) => {
  readingSuite(target);
  submittingSuite(target);
  uploadsSuite(target);
  deletingSuite(target);
  filesSuite(target);
  quotasSuite(target);
  ledgerSuite(target);
  webhooksSuite(target);
  administrationSuite(target);
  grantingSuite(target);
  everybodySuite(target);
  identitySuite(target);
  idempotencySuite(target);
  pagingSuite(target);
  errorsSuite(target);
  catalogSuite(target);
  gatewayLimitsSuite(target);
});
