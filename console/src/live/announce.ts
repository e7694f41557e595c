import { signal } from '@preact/signals';

/** What is said to whoever does not see the page, and shown for a moment to whoever does. */
export const announced = signal('');

const shownMs = 6000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  clearTimeout(timer);
  announced.value = text;
  timer = setTimeout(() => {
    announced.value = '';
  }, shownMs);
}
