import { signal } from '@preact/signals';
import { addressOf, goTo } from '../browser/address.ts';
import { session } from '../connection/session.ts';
import { undo } from '../live/undo.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Button } from '../parts/form.tsx';
import { phrase } from './words.ts';

/** Whether the list of shortcuts is open. */
export const keysShown = signal(false);

const keys = [
  { key: 'j', does: () => phrase('nextRow') },
  { key: 'k', does: () => phrase('previousRow') },
  { key: 'Enter', does: () => phrase('openRow') },
  { key: 'x', does: () => phrase('selectRow') },
  { key: 'u', does: () => phrase('undo') },
  { key: '/', does: () => phrase('search') },
  { key: 'f', does: () => phrase('findPersonOrJob'), administrators: true },
  { key: 'n', does: () => phrase('submitJob') },
  { key: 'g h', does: () => phrase('goToHome') },
  { key: 'g j', does: () => phrase('goToJobs') },
  { key: 'g q', does: () => phrase('goToQuotas') },
  { key: '?', does: () => phrase('showShortcuts') },
] as const;

const destinations: Readonly<Record<string, string>> = {
  h: addressOf.home,
  j: addressOf.jobs,
  q: addressOf.quotas,
};

const acts: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  n: () => goTo(addressOf.submit),
  '/': focusSearch,
  f: focusFind,
  j: () => moveInList(1),
  k: () => moveInList(-1),
  x: markRow,
  X: markRow,
  u: undo,
  '?': () => {
    keysShown.value = !keysShown.value;
  },
};

export function listenToKeys(): void {
  let before = '';
  document.addEventListener('keydown', (event) => {
    if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
    const { key } = event;
    const destination = before === 'g' ? destinations[key] : undefined;
    before = key;
    if (destination === undefined) acts[key]?.(event);
    else goTo(destination);
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function focusSearch(event: KeyboardEvent): void {
  const search = document.querySelector<HTMLElement>('input[type=search]');
  event.preventDefault();
  if (search) search.focus();
  else goTo(addressOf.jobs);
}

function focusFind(event: KeyboardEvent): void {
  const find = document.querySelector<HTMLElement>('[data-find]');
  if (!find) return;
  event.preventDefault();
  find.focus();
}

/** Moves the focus. Rows are links, so Enter opens the focused one. */
function moveInList(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  // Long lists also render some rows above the visible ones.
  const seen = rows.findIndex((row) => row.getBoundingClientRect().top >= 0);
  const at = focused >= 0 ? focused + by : seen;
  const next = rows[Math.max(0, Math.min(rows.length - 1, at))];
  next?.querySelector('a')?.focus();
}

/** Clicks the row's checkbox, so that there is only one way to select. */
function markRow({ shiftKey }: KeyboardEvent): void {
  const row = document.activeElement?.closest('[data-row]');
  const box = row?.querySelector('input[type=checkbox]');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

export function KeysDialog() {
  const known = keys.filter((key) => !('administrators' in key) || session.value?.administrator);
  const close = () => {
    keysShown.value = false;
  };
  return (
    <Dialog title={phrase('keyboardShortcuts')} onClose={close}>
      <dl class="pairs">
        {known.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does()}</dd>
          </div>
        ))}
      </dl>
      <div class="line end">
        <Button onClick={close}>{phrase('close')}</Button>
      </div>
    </Dialog>
  );
}
