import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Finds the machine's own browser. None is downloaded. */
export function findChromium(): string | undefined {
  return places.find((place) => existsSync(place));
}
