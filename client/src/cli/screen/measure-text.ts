// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how a terminal is told of colours.
const colour = /\x1b\[[\d;]*m/g;
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal it takes: colours none, letters of East Asia and emoji two. */
export function measureText(text: string): number {
  return split(text.replaceAll(colour, '')).reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** Cut to so many columns, and marked as cut. For text without colours. */
export function cutText(text: string, columns: number): string {
  if (measureText(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const letter of split(text)) {
    width += widthOf(letter);
    if (width > columns - 1) break;
    kept += letter;
  }
  return `${kept}…`;
}

export function padText(text: string, columns: number, side: 'start' | 'end'): string {
  const blank = ' '.repeat(Math.max(0, columns - measureText(text)));
  return side === 'start' ? `${blank}${text}` : `${text}${blank}`;
}

function split(text: string): string[] {
  return Array.from(letters.segment(text), ({ segment }) => segment);
}

function widthOf(letter: string): number {
  return wide.test(letter) ? 2 : 1;
}
