import { effect, signal } from '@preact/signals';
import { type Page, page } from './address.ts';

/** What an open page adds to the title of the tab, such as the state of a job. */
interface Shown {
  readonly title: string;
  /** The meaning of the stage, which colours the icon of the tab. */
  readonly meaning: string;
}

/** Set by a page while it is open. */
export const shownInTab = signal<Shown | undefined>(undefined);

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
export function writeTitle(shown: Page, added: Shown | undefined): string {
  return `${added?.title ?? nameOf(shown)} · Slipway`;
}

function nameOf(shown: Page): string {
  if (shown.name === 'ledger') return `Ledger of ${shown.project}`;
  if (shown.name === 'project') return shown.project;
  const [room] = shown.name === 'admin' ? shown.rest : [];
  return room === undefined ? names[shown.name] : `${room[0]?.toUpperCase()}${room.slice(1)}`;
}

/** Keeps the title and the icon of the tab up to date, so that many tabs can be told apart. */
export function followTitle(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const plain = icon?.href ?? '';
  effect(() => {
    const { value } = shownInTab;
    document.title = writeTitle(page.value, value);
    if (icon) icon.href = value ? drawDot(value.meaning) : plain;
  });
}

const colours: Readonly<Record<string, string>> = {
  waiting: '#b59a2c',
  starting: '#4a86cf',
  running: '#0b8a7b',
  finishing: '#4a86cf',
  done: '#4f8f35',
  failed: '#c8393e',
};

/** Draws a dot in the colour of the stage. The title has the same as a sign. */
function drawDot(meaning: string): string {
  const colour = colours[meaning] ?? '#7d8594';
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${colour}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}
