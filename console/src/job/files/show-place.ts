interface Place {
  readonly at: number;
  readonly length: number;
}

/** Of the text in a box, as the style names it. It changes nothing of the page itself. */
export function highlight(
  name: 'found' | 'current',
  box: HTMLElement,
  places: readonly Place[],
): void {
  const ranges = places.flatMap((place) => rangeOf(box, place) ?? []);
  if (ranges.length === 0) CSS.highlights?.delete(name);
  else CSS.highlights?.set(name, new Highlight(...ranges));
}

/** Scrolls the box, and only the box, so that a place stands in its upper third. */
export function scrollToPlace(box: HTMLElement, place: Place): void {
  const range = rangeOf(box, place);
  if (!range) return;
  const above = range.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTo(0, box.scrollTop + above - box.clientHeight / 3);
}

function rangeOf({ firstChild: text }: HTMLElement, { at, length }: Place): Range | undefined {
  if (!(text instanceof Text) || at + length > text.length) return undefined;
  const range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + length);
  return range;
}
