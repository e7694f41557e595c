import { signal } from '@preact/signals';

/** Shown for a moment, and read out by screen readers. */
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
