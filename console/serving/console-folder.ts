import { join } from 'node:path';

/** Where the console is built to, and served from. */
export const consoleFolder = join(import.meta.dirname, '../dist');
