import { signal } from '@preact/signals';
import { announce } from './announce.ts';
import { phrase } from './words.ts';

interface Pending {
  /** Says what will happen: `3 jobs will be cancelled in a moment.` */
  readonly text: string;
  readonly act: () => void;
}

/** The act that is about to be sent, unless somebody undoes it. */
const pending = signal<Pending | undefined>(undefined);

const pauseMs = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Acts after a pause in which it can be undone. An act that was already pending is done at once. */
export function actSoon(text: string, act: () => void): void {
  actNow();
  pending.value = { text, act };
  addEventListener('beforeunload', askBeforeLeaving);
  goOn();
}

export function undo(): void {
  if (pending.value === undefined) return;
  leave();
  announce(phrase('undone'));
}

/** Stops the countdown while somebody is at the button. */
function holdOn(): void {
  clearTimeout(timer);
}

function goOn(): void {
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

/** Warns before the tab closes, because the pending act would be lost without a word. */
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
          {value.text}
          <button type="button" onClick={undo}>
            {phrase('undo')}
          </button>
        </div>
      )}
    </div>
  );
}
