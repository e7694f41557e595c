/** Keeps the first texts of many, in their order. Needs no more memory than for twice as many. */
export function selectFirst(most: number) {
  let kept: string[] = [];
  let last: string | undefined;
  function shrink(): void {
    kept.sort();
    if (kept.length < most) return;
    kept = kept.slice(0, most);
    last = kept.at(-1);
  }
  return {
    add(text: string): void {
      if (last !== undefined && text >= last) return;
      kept.push(text);
      if (kept.length >= 2 * most) shrink();
    },
    list(): readonly string[] {
      shrink();
      return kept;
    },
  };
}
