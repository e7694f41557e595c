import { defineConfig } from 'vitest/config';
import { ofLibWithout } from './mutation.config.ts';

/** Those of `--quick`: without what loads a handler, and with it constants of lib, within a test. */
export default defineConfig({ test: ofLibWithout('test/handlers/apart/**') });
