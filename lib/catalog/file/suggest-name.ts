/** The name that was probably meant: one that is a few letters away, or the same but for its case. */
export function suggestName(written: string, names: readonly string[]): string | undefined {
  const far = Math.max(2, Math.floor(written.length / 3));
  const [nearest] = names
    .map((name) => ({ name, steps: countSteps(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ steps }) => steps <= far)
    .sort((a, b) => a.steps - b.steps);
  return nearest?.name;
}

/** Letters to insert, to leave out or to replace (Levenshtein). */
function countSteps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    let left = index + 1;
    row = [
      left,
      ...[...to].map((other, place) => {
        const above = row[place + 1] ?? 0;
        const diagonal = row[place] ?? 0;
        left = Math.min(above + 1, left + 1, diagonal + (letter === other ? 0 : 1));
        return left;
      }),
    ];
  }
  return row.at(-1) ?? 0;
}
