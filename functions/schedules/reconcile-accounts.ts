import { explainFinding } from '#lib/accounts/reconcile-accounts.ts';
import { watchAccounts } from '#lib/accounts/watch-accounts.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { reportAccountDrift } from '#lib/telemetry/metrics.ts';
import { table } from '../table.ts';

/** Reports accounts that do not add up. A person corrects them with `npm run reconcile`. */
export async function handler(): Promise<void> {
  const wrong = await watchAccounts(table, catalog, (finding) => {
    if (finding.verdict.state === 'too-long')
      logger.warn('account not checked', { ...finding.account });
    for (const drift of explainFinding(finding)) {
      logger.warn('account drift', { ...finding.account, drift });
    }
  });
  reportAccountDrift(wrong);
}
