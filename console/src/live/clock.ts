import { signal } from '@preact/signals';

const everyMs = 5000;

/** The current time, from which ages are counted. It stops while the tab is hidden. */
export const clock = signal(new Date());

export function startClock(): void {
  const tick = () => {
    if (!document.hidden) clock.value = new Date();
  };
  setInterval(tick, everyMs);
  document.addEventListener('visibilitychange', tick);
}
