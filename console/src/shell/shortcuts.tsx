import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { goTo } from '../browser/address.ts';
import { addressOf } from '../browser/routes.ts';
import { session } from '../connection/session.ts';
import { undo } from '../live/undo.tsx';

/** Whether the list of keys is shown. */
export const keysShown = signal(false);

/** What every page answers to; lists know more (j, k, Enter, x). */
export const keys = [
  { key: 'j', does: 'next in a list' },
  { key: 'k', does: 'the one before it' },
  { key: 'Enter', does: 'open it' },
  { key: 'x', does: 'select it; with Shift, all from the last one selected' },
  { key: 'u', does: 'undo, while it is offered' },
  { key: '/', does: 'search' },
  { key: 'f', does: 'find a person, a job or a project', administrators: true },
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

/** What a key does, wherever one is. */
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

/** Rows are links, so that Enter opens what has the focus without anybody's help. */
function moveInList(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  // Of a long list there are rows above what is seen, too.
  const seen = rows.findIndex((row) => row.getBoundingClientRect().top >= 0);
  const at = focused >= 0 ? focused + by : seen;
  const next = rows[Math.max(0, Math.min(rows.length - 1, at))];
  next?.querySelector('a')?.focus();
}

/** As a click on its box would, so that there is one way to do it. */
function markRow({ shiftKey }: KeyboardEvent): void {
  const row = document.activeElement?.closest('[data-row]');
  const box = row?.querySelector('input[type=checkbox]');
  box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey }));
}

export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const known = keys.filter((key) => !('administrators' in key) || session.value?.administrator);
  const close = () => {
    keysShown.value = false;
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="pairs">
        {known.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="line end">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
