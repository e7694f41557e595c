import { signal } from '@preact/signals';

const everyMs = 5000;

/** Now, as ages are counted from. It stands still while nobody looks. */
export const clock = signal(new Date());

export function startClock(): void {
  const tick = () => {
    if (!document.hidden) clock.value = new Date();
  };
  setInterval(tick, everyMs);
  document.addEventListener('visibilitychange', tick);
}
