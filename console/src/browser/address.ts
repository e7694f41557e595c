import { computed, signal } from '@preact/signals';
import { pageAt } from './routes.ts';

const root = '/console';

/** Set by `followLinks`, so that pages can be loaded without a browser around them. */
const shown = signal({ path: '/', search: '' });

/** The page and the query of the current address. */
export const page = computed(() => pageAt(shown.value.path));
export const query = computed(() => new URLSearchParams(shown.value.search));

function read() {
  return { path: location.pathname.slice(root.length), search: location.search };
}

/** Goes to a page of the console. With `instead`, the new address replaces the current one. */
export function goTo(address: string, { instead = false } = {}): void {
  if (instead) history.replaceState(null, '', address);
  else {
    history.pushState(null, '', address);
    scrollTo(0, 0);
  }
  shown.value = read();
}

/** Makes plain links between pages change the page without loading the console again. */
export function followLinks(): void {
  shown.value = read();
  addEventListener('popstate', () => {
    shown.value = read();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || !isOurs(link) || !isPlain(event)) return;
    event.preventDefault();
    goTo(`${link.pathname}${link.search}`);
  });
}

function isOurs({ origin, pathname, target, download }: HTMLAnchorElement): boolean {
  return (
    origin === location.origin &&
    pathname.startsWith(`${root}/`) &&
    target === '' &&
    download === ''
  );
}

function isPlain(event: MouseEvent): boolean {
  const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event;
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented;
}
