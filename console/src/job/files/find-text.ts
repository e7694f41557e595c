const most = 1000;

/** Where a text stands in another, whatever its capitals; the first thousand places. */
export function findText(text: string, wanted: string): readonly number[] {
  if (wanted === '') return [];
  const inside = text.toLowerCase();
  const searched = wanted.toLowerCase();
  // Letters that are longer in lower case would move all places after them.
  const [within, looked] = inside.length === text.length ? [inside, searched] : [text, wanted];
  const places: number[] = [];
  for (
    let at = within.indexOf(looked);
    at >= 0 && places.length < most;
    at = within.indexOf(looked, at + looked.length)
  ) {
    places.push(at);
  }
  return places;
}

/** The place after or before this one; after the last comes the first. */
export function stepTo(places: readonly number[], at: number, by: 1 | -1): number {
  return (at + by + places.length) % Math.max(1, places.length);
}
