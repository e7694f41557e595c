/**
 * What functions are bundled with and do not call, or not in the way that their roles refuse: a file
 * that holds several rules comes as a whole. Each was looked at. A new one is either added here, with
 * its reason, or is a right that is missing.
 */
export const unused: Readonly<Record<string, readonly string[]>> = {
  // An address is public, or shows a pass: nobody is named or counted there.
  'lib/users/user-numbers.ts': [
    'answer-mail',
    'hand-out-input',
    'take-results',
    'read-status',
    'read-reference',
  ],
  'lib/users/call-counter.ts': [
    'answer-mail',
    'hand-out-input',
    'take-results',
    'read-status',
    'read-reference',
  ],
  // Putting an account right is for a person: npm run reconcile -- --fix.
  'lib/accounts/repair-account.ts': ['reconcile-accounts'],
  // Taking a ban back welcomes nobody, and neither does a budget.
  'lib/quotas/welcome.ts': ['clear-user', 'open-project'],
  // They read one budget, or one quota, and list none.
  'lib/quotas/quota-store.ts': ['clear-folder', 'open-project'],
  // The ledger of a budget is shown by read-projects.
  'lib/quotas/read-ledger.ts': ['read-quotas', 'read-all-quotas'],
  // Only a leader's grant is taken from a budget, and leaders grant one at a time.
  'lib/quotas/grants/grant-quota.ts': ['grant-quotas'],
  // They show and tell the leaders that administrators choose.
  'lib/budgets/leaders.ts': ['read-projects', 'attend-quotas'],
  // They ask whether a caller leads one project, and list none.
  'lib/budgets/led-projects.ts': ['clear-folder', 'open-project', 'read-usage-report'],
  // Their paths name no project, or none of those that were opened at run time.
  'lib/projects/opened-project-store.ts': [
    'attend-quotas',
    'create-upload',
    'check-waiting',
    'release-jobs',
    'decide-request',
    'read-all-requests',
    'read-usage-report',
  ],
  // They show what the sweeps write down.
  'lib/hpc/breaker/system-health.ts': ['read-jobs', 'read-systems', 'read-all-jobs', 'read-status'],
  'lib/hpc/breaker/system-days.ts': ['read-systems'],
  // They fetch files or clear a folder, and hand nothing over.
  'lib/hpc/simulator/simulator-connector.ts': [
    'clear-folder',
    'read-files',
    'check-waiting',
    'release-jobs',
  ],
  // It cancels one batch, and lists none.
  'lib/batches/batch-store.ts': ['delete-batch'],
  // They know the projects of what they wait for.
  'lib/projects/list-projects.ts': ['check-waiting', 'release-jobs'],
  // It is told which jobs wait.
  'lib/jobs/chains/attend-waiting.ts': ['release-jobs'],
  // Only what an administrator deletes is an act.
  'lib/jobs/cancel/delete-job.ts': ['delete-job', 'advance-batches', 'attend-batches'],
  // Only a download makes copies, and only the sweep looks for those that are due.
  'lib/files/results/relay-files.ts': [
    'advance-batches',
    'clear-folder',
    'delete-any-job',
    'delete-job',
    'read-files',
    'remove-quota',
    'remove-uploads',
  ],
  // They show how jobs stand, and change none.
  'lib/jobs/life/job-life-store.ts': ['read-jobs', 'read-all-jobs'],
  // Callers are the owners of what they ask for.
  'lib/jobs/read/find-owner.ts': ['read-jobs'],
  // It is told which jobs are due.
  'lib/jobs/run/sweep/due-jobs.ts': ['hand-over-jobs', 'dispatch-jobs'],
  // Only a project that is opened takes a number.
  'lib/projects/open-project.ts': ['close-project'],
  // They look one request up, and list none.
  'lib/requests/list-requests.ts': ['decide-request'],
  'lib/requests/request-store.ts': ['create-request', 'withdraw-request'],
  // Only submissions and administrators read what a month has cost.
  'lib/spending/spending-store.ts': ['count-ends'],
  'lib/webhooks/deliveries/delivery-store.ts': ['clear-user', 'create-webhook', 'read-webhooks'],
  // They search by name, or erase. Only the list of one's quotas writes down what tokens say.
  'lib/users/person-store.ts': ['clear-user', 'read-all-quotas', 'read-users'],
  // It takes logins away, and makes none.
  'lib/users/logins/map-login.ts': ['clear-user'],
  // The sweep ends windows that are over, which is nobody's act.
  'lib/systems/change-maintenance.ts': ['track-jobs'],
  // They read the windows of one system, or of all at once, and never both.
  'lib/systems/read-maintenance.ts': [
    'submit-batch',
    'change-maintenance',
    'measure-queue',
    'list-systems',
  ],
  'lib/webhooks/webhook-store.ts': [
    'clear-user',
    'create-webhook',
    'delete-webhook',
    'deliver-events',
    'queue-deliveries',
    'read-users',
    'read-webhooks',
  ],
};

/** Whether a function does not do what went through these files. */
export function isUnused(name: string, files: readonly string[]): boolean {
  return files.some((file) => unused[file]?.includes(name));
}
