/** What the database holds is not what was written. A person has to look at it. */
export class DamageError extends Error {
  override name = 'DamageError';
}

/** Another version of Slipway wrote the data. */
export class OtherLayoutError extends Error {
  override name = 'OtherLayoutError';
}

/** Where a message about damage sends its reader. */
export const damageHelp = 'What to do is in docs/restore.md, "A damaged data folder".';
