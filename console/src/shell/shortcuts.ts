import { signal } from '@preact/signals';
import { addressOf } from '../address/address-of.ts';
import { goTo } from '../address/address.ts';

/** Whether the list of keys is shown. */
export const keysShown = signal(false);

/** What every page answers to; lists know more (j, k, Enter). */
export const keys = [
  { key: 'j', does: 'next in a list' },
  { key: 'k', does: 'the one before it' },
  { key: 'Enter', does: 'open it' },
  { key: '/', does: 'search' },
  { key: 'n', does: 'submit a new job' },
  { key: 'g h', does: 'home' },
  { key: 'g j', does: 'jobs' },
  { key: 'g q', does: 'quotas' },
  { key: '?', does: 'these keys' },
] as const;

const destinations: Readonly<Record<string, string>> = {
  h: addressOf.home,
  j: addressOf.jobs,
  q: addressOf.quotas,
};

export function listenToKeys(): void {
  let before = '';
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
    const { key } = event;
    const [last, destination] = [before, destinations[key]];
    before = key;
    if (last === 'g' && destination !== undefined) return goTo(destination);
    if (key === 'n') return goTo(addressOf.submit);
    if (key === '?') keysShown.value = !keysShown.value;
    if (key === '/') focusSearch(event);
    if (key === 'j' || key === 'k') moveInList(key === 'j' ? 1 : -1);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function focusSearch(event: Event): void {
  const search = document.querySelector<HTMLElement>('input[type=search]');
  if (!search) return goTo(addressOf.jobs);
  event.preventDefault();
  search.focus();
}

/** Rows are links, so that Enter opens what has the focus without anybody's help. */
function moveInList(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row] a')];
  const at = rows.findIndex((row) => row === document.activeElement);
  const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
  next?.focus();
}
