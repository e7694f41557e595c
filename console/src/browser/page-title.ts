import { effect, signal } from '@preact/signals';
import { type Page, page } from './address.ts';

/** Set by a page while it is open, such as the state and the title of a job. */
export const shownInTab = signal<string | undefined>(undefined);

const names: Readonly<Record<Page['name'], string>> = {
  home: 'Home',
  jobs: 'Jobs',
  job: 'Job',
  batches: 'Batches',
  batch: 'Batch',
  submit: 'Submit a job',
  quotas: 'Quotas',
  ledger: 'Ledger',
  requests: 'Requests',
  projects: 'Projects',
  project: 'Project',
  notifications: 'Notifications',
  webhooks: 'Webhooks',
  webhook: 'Webhook',
  admin: 'Administration',
  missing: 'Page not found',
};

/** Writes the title of the tab: `✔ Spike trains · Slipway`, or `Jobs · Slipway`. */
export function writeTitle(shown: Page, added: string | undefined): string {
  return `${added ?? nameOf(shown)} · Slipway`;
}

function nameOf(shown: Page): string {
  if (shown.name === 'ledger') return `Ledger of ${shown.project}`;
  if (shown.name === 'project') return shown.project;
  const [room] = shown.name === 'admin' ? shown.rest : [];
  return room === undefined ? names[shown.name] : `${room[0]?.toUpperCase()}${room.slice(1)}`;
}

/** Keeps the title of the tab up to date, so that many tabs can be told apart. */
export function followTitle(): void {
  effect(() => {
    document.title = writeTitle(page.value, shownInTab.value);
  });
}
