import { effect, signal } from '@preact/signals';
import { adminRooms, type Page, page } from './address.ts';
import { pageNames } from './page-names.ts';

/** What an open page adds to the title of the tab, such as the state of a job. */
interface Shown {
  readonly title: string;
  /** The meaning of the stage, which colours the icon of the tab. */
  readonly meaning: string;
}

/** Set by a page while it is open. */
export const shownInTab = signal<Shown | undefined>(undefined);

/** Writes the title of the tab: `✔ Spike trains · Slipway`, or `Jobs · Slipway`. */
export function writeTitle(shown: Page, added: Shown | undefined): string {
  return `${added?.title ?? nameOf(shown)} · Slipway`;
}

function nameOf(shown: Page): string {
  switch (shown.name) {
    case 'ledger':
      return pageNames.ledger(shown.project);
    case 'folder':
      return pageNames.folder(shown.project);
    case 'project':
      return shown.project;
    case 'admin': {
      const room = adminRooms.find((each) => each === shown.rest[0]);
      return room ? nameRoom(room) : pageNames.admin();
    }
    default:
      return pageNames[shown.name]();
  }
}

/** Returns what a room of the administrators' pages is called. */
export function nameRoom(room: (typeof adminRooms)[number]): string {
  return pageNames[room]();
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
