/** The largest file that is fetched from a system: it is held in memory on its way. */
export const maxFileBytes = 64_000_000;
