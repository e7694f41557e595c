import type { Store } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';

/** In the directory `path`, made where it is missing, or in memory. */
export async function openStore(path: string | undefined): Promise<Store> {
  const store = dynalite.create({
    ...(path !== undefined && { path }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
  try {
    await store.db.open();
  } catch (error) {
    throw new Error(explain(path, error), { cause: error });
  }
  return store;
}

function explain(path: string | undefined, error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'LEVEL_LOCKED':
      return `The database in ${path} is already in use, probably by another Slipway.`;
    case 'LEVEL_CORRUPTION':
      return `The database in ${path} is damaged (${reason}).`;
    default:
      return `The database in ${path} cannot be opened (${reason}).`;
  }
}
