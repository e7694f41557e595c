const length = 8;

/** Shortens the id of a job or a batch to the first letters of its random part. */
export function writeShortId(id: string): string {
  return partByChance(id).slice(0, length);
}

/**
 * Returns true if the text is this id, the start of it, or the start of its random part.
 */
export function matchesId(id: string, wanted: string): boolean {
  const begin = wanted.toUpperCase();
  return id.startsWith(begin) || partByChance(id).startsWith(begin);
}

/**
 * Finds the random part. In `NGBW-JOB-NEURON74_TG-1A2B…` all jobs of a tool share what is before the
 * last hyphen. The id of a batch is a UUID of version 7, which starts with the time.
 */
function partByChance(id: string): string {
  const [, ofTool, ofBatch] = randomPart.exec(id) ?? [];
  return ofTool ?? ofBatch ?? id;
}

/** Returns true for the id of a batch, a UUID of version 7. No system gives its jobs such ids. */
export function isBatchId(id: string): boolean {
  return /^[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F]{3}-[0-9A-F]{4}-[0-9A-F]{12}$/.test(id);
}

const randomPart =
  /([0-9A-F]{32})$|^[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F]{3}-[0-9A-F]{4}-([0-9A-F]{12})$/;
