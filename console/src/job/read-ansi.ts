/** A part of a text that a terminal would show in a colour. */
export interface Coloured {
  readonly colour: AnsiColour;
  readonly at: number;
  readonly length: number;
}

export const ansiColours = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
] as const;

type AnsiColour = (typeof ansiColours)[number];

/** More colours would make the page slow. The text stays complete. */
const mostSequences = 10_000;

const esc = '\u001b';
const bell = '\u0007';

/** Sets colours or moves the cursor. */
const control = String.raw`\[[\d;:]*[ -/]*[@-~]`;
/** Sets a title or makes a link, up to its end. */
const command = String.raw`\][^${bell}${esc}]{0,2000}(?:${bell}|${esc}\\)?`;
/** A single letter, such as a reset. */
const letter = String.raw`[@-Z\\^_a-z]`;

const sequence = new RegExp(`${esc}(?:${control}|${command}|${letter})`, 'g');

/** Sets colours by some codes. Nobody means more of them. */
const colouring = new RegExp(String.raw`^${esc}\[([\d;:]{0,100})m$`);

/**
 * Takes the sequences of terminals out of a text, and says which parts they coloured. Everything
 * else that they ask for (titles, links, the cursor) is dropped, so a job cannot change the page.
 */
export function readAnsi(text: string): {
  readonly plain: string;
  readonly coloured: readonly Coloured[];
} {
  if (!text.includes(esc)) return { plain: text, coloured: [] };
  const coloured: Coloured[] = [];
  let plain = '';
  let from = 0;
  let left = mostSequences;
  let colour: AnsiColour | undefined;
  const take = (part: string) => {
    if (colour && part !== '') coloured.push({ colour, at: plain.length, length: part.length });
    plain += part;
  };
  for (const { 0: found, index } of text.matchAll(sequence)) {
    take(text.slice(from, index));
    from = index + found.length;
    left -= 1;
    const [, codes] = colouring.exec(found) ?? [];
    if (codes !== undefined) colour = chooseColour(colour, codes);
    if (left > 0) continue;
    colour = undefined;
    break;
  }
  take(text.slice(from).replaceAll(sequence, ''));
  return { plain, coloured };
}

/** Names a colour of a larger palette: 5 and a number, or 2 and three numbers. */
const palette = /(?:^|(?<=[;:]))[34]8[;:](?:5[;:]\d*|2(?:[;:]\d*){3})/g;

/** Reads `31` or `1;31` as red, `0` and `39` as no colour, and skips what is not a simple colour. */
function chooseColour(before: AnsiColour | undefined, codes: string): AnsiColour | undefined {
  const simple = codes.replaceAll(palette, '1');
  return simple.split(/[;:]/).reduce((colour, code) => changeColour(colour, Number(code)), before);
}

function changeColour(before: AnsiColour | undefined, code: number): AnsiColour | undefined {
  if (code === 0 || code === 39) return undefined;
  const bright = code >= 90 ? 90 : 30;
  return ansiColours[code - bright] ?? before;
}
