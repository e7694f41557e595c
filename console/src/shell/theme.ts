import { effect, signal } from '@preact/signals';
import { readStored, store } from '../browser/stored.ts';
import { phrase } from './words.ts';

type Theme = 'system' | 'light' | 'dark';

const key = 'slipway-theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

const theme = signal<Theme>(themes.find((name) => name === readStored('browser', key)) ?? 'system');

/** Sets the attribute that the style reads. Without it, the style follows the system. */
export function applyTheme(): void {
  effect(() => {
    const { value } = theme;
    store('browser', key, value);
    if (value === 'system') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', value);
  });
}

export function describeTheme(): string {
  switch (theme.value) {
    case 'system':
      return phrase('themeSystem');
    case 'light':
      return phrase('themeLight');
    case 'dark':
      return phrase('themeDark');
  }
}

export function switchTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
}
