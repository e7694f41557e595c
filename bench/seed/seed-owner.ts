import { userId } from '#test/fixtures/names.ts';

/** Whose all ended jobs are. */
export const seedOwner = userId('306328');
