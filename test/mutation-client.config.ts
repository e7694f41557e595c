import { defineConfig } from 'vitest/config';
import { ofClient } from '../vitest.config.ts';

/** The tests that `npm run suite -- mutation client/src` runs. */
export default defineConfig({ test: { projects: ofClient } });
