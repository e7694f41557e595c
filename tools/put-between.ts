/** Replaces the text between `<!-- mark -->` and `<!-- end of mark -->`. */
export function putBetween(page: string, mark: string, text: string): string {
  const [begin, end] = marksOf(mark);
  const [before, rest] = split(page, begin);
  const [, after] = split(rest, end);
  return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

/** Returns the text between the marks. */
export function readBetween(page: string, mark: string): string {
  const [begin, end] = marksOf(mark);
  const [text] = split(split(page, begin)[1], end);
  return text.trim();
}

function marksOf(mark: string): [string, string] {
  return [`<!-- ${mark} -->`, `<!-- end of ${mark} -->`];
}

function split(text: string, at: string): [string, string] {
  const place = text.indexOf(at);
  if (place < 0) throw new Error(`The page has no ${at}.`);
  return [text.slice(0, place), text.slice(place + at.length)];
}
