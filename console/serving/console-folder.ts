import { join } from 'node:path';

/** The console is built into this folder, and served from it. */
export const consoleFolder = join(import.meta.dirname, '../dist');
