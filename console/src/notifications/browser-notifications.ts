import { signal } from '@preact/signals';
import { goTo } from '../browser/address.ts';
import { readStored, store } from '../browser/stored.ts';

const key = 'slipway-notifies';

/** Whether this browser shows a notification when a job ends. */
export const notifies = signal(false);

/** Whether this browser can notify: it may not know how, or the user may have forbidden it. */
export function canNotify(): 'yes' | 'unknown' | 'forbidden' {
  if (!('Notification' in globalThis)) return 'unknown';
  return Notification.permission === 'denied' ? 'forbidden' : 'yes';
}

/** Continues with the choice of an earlier visit, unless the user has withdrawn the permission. */
export function restoreNotifying(): void {
  notifies.value =
    readStored('browser', key) === true &&
    canNotify() === 'yes' &&
    Notification.permission === 'granted';
}

/** Asks the browser. Call it on a click: browsers ignore pages that ask on their own. */
export async function startNotifying(): Promise<void> {
  const granted = (await Notification.requestPermission()) === 'granted';
  notifies.value = granted;
  store('browser', key, granted);
}

export function stopNotifying(): void {
  notifies.value = false;
  store('browser', key, false);
}

/** Shows a notification that leads to a page. Those with the same tag replace each other. */
export function notify(text: string, { tag, address }: { tag: string; address: string }): void {
  try {
    const shown = new Notification(text, { tag, icon: '/console/icon.svg' });
    shown.onclick = () => {
      focus();
      goTo(address);
      shown.close();
    };
  } catch {
    // Some browsers, such as Chrome on Android, know the name and refuse the call.
    stopNotifying();
  }
}
