/** How much a client wants something, by a header of RFC 9110, 12.5: its q, or nothing where it is not named. */
export function findPreference(header: string, wanted: string): number | undefined {
  const choices = header.split(',').map((choice) => choice.split(';').map((part) => part.trim()));
  const found = choices.find(([name]) => name?.toLowerCase() === wanted);
  if (!found) return undefined;
  const [, ...parameters] = found;
  const q = parameters.find((each) => /^q=/i.test(each))?.slice(2) ?? '1';
  return Number(q) || 0;
}
