import { signal } from '@preact/signals';
import { announce } from './announce.ts';

interface Pending {
  /** What will be done: `3 jobs are cancelled`. */
  readonly text: string;
  readonly act: () => void;
}

/** What is done in a moment, unless somebody takes it back. Nothing of it was sent yet. */
export const pending = signal<Pending | undefined>(undefined);

const pauseMs = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** One thing at a time: what waited before is done at once. */
export function actSoon(text: string, act: () => void): void {
  actNow();
  pending.value = { text, act };
  addEventListener('beforeunload', askBeforeLeaving);
  goOn();
}

export function undo(): void {
  if (pending.value === undefined) return;
  leave();
  announce('Nothing was done.');
}

/** While somebody is at the button, the time stands still. */
export function holdOn(): void {
  clearTimeout(timer);
}

export function goOn(): void {
  clearTimeout(timer);
  timer = setTimeout(actNow, pauseMs);
}

function actNow(): void {
  const { value } = pending;
  leave();
  value?.act();
}

function leave(): void {
  clearTimeout(timer);
  pending.value = undefined;
  removeEventListener('beforeunload', askBeforeLeaving);
}

/** A tab that is closed now would send nothing, and whoever closes it thinks that it was done. */
function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

export function UndoNote() {
  const { value } = pending;
  return (
    <div class="announced undo" role="status">
      {value && (
        <div
          class="line"
          onPointerEnter={holdOn}
          onPointerLeave={goOn}
          onFocusIn={holdOn}
          onFocusOut={goOn}
        >
          {value.text} in a moment.
          <button type="button" onClick={undo}>
            Undo
          </button>
        </div>
      )}
    </div>
  );
}
