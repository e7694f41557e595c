/** What others stand on: a test that calls it does so in its own name. */
const grounds = ['lib/table/', 'lib/files/storage/', 'lib/outbound/', 'lib/concurrency/'];

/** What is not deployed. */
const others = ['tools/', 'bench/', 'local/', 'client/'];

/**
 * The files of the service that a call went through, from the one that made it outwards to the first
 * of a test. None where a tool asked for it, or the test itself.
 */
export function listServiceFiles(stack: readonly string[]): string[] {
  const end = stack.findIndex((file) => file.startsWith('test/'));
  const within = stack.slice(0, end === -1 ? stack.length : end);
  if (within.some((file) => beginsWith(file, others))) return [];
  const files = [...new Set(within.filter((file) => file.startsWith('lib/')))];
  return files.every((file) => beginsWith(file, grounds)) ? [] : files.sort();
}

function beginsWith(file: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => file.startsWith(beginning));
}
