import { afterAll, describe } from 'vitest';
import { administrationSuite } from './suites/administration.ts';
import { anyCatalogSuite } from './suites/any-catalog.ts';
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
import { referenceSuite } from './suites/reference.ts';
import { reportsSuite } from './suites/reports.ts';
import { requestsSuite } from './suites/requests.ts';
import { submittingSuite } from './suites/submitting.ts';
import { uploadsSuite } from './suites/uploads.ts';
import { webhooksSuite } from './suites/webhooks.ts';
import { explainSkips, type Target } from './target.ts';

/**
 * The contract, case by case, over HTTP. A target is one file's, because with BASE_URL all cases
 * share one account, and what one of them counts another must not change at the same moment.
 */
export function contractOf(target: Target): void {
  const skips = explainSkips(target);
  if (skips !== undefined) console.info(skips);
  afterAll(() => target.close());

  // The examples of the interface, as they stand, name its two systems.
  describe.runIf(target.has('examples'))(target.name, () => {
    // First, because the times in its tokens are counted from when its cases are loaded.
    identitySuite(target);
    readingSuite(target);
    submittingSuite(target);
    uploadsSuite(target);
    deletingSuite(target);
    filesSuite(target);
    quotasSuite(target);
    ledgerSuite(target);
    reportsSuite(target);
    webhooksSuite(target);
    administrationSuite(target);
    grantingSuite(target);
    requestsSuite(target);
    everybodySuite(target);
    idempotencySuite(target);
    pagingSuite(target);
    errorsSuite(target);
    catalogSuite(target);
    gatewayLimitsSuite(target);
  });

  describe(target.name, () => {
    anyCatalogSuite(target);
    referenceSuite(target);
  });
}
