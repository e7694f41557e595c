import type { Meaning } from '../../format/jobs/describe-stage.ts';
import type { Output } from './host.ts';

/**
 * Characters that a terminal would obey: control characters and direction marks. Titles, reasons,
 * names, responses and output of jobs come from others, so these characters are replaced.
 */
const orders = String.raw`\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const inLine = new RegExp(`[${orders}]`, 'gu');
/** Like `orders`, but keeps line ends. */
const inText = new RegExp(String.raw`(?![\n\t])[${orders}]`, 'gu');
/** Keeps colours, the only sequences that the command itself writes within a line. */
const inPainted = new RegExp(String.raw`\x1b\[(?:[012]|3[1236])m|(?![\n\t])[${orders}]`, 'gu');

/** Cleans a part of a line. */
export function cleanText(text: string): string {
  return text.replaceAll(inLine, '\ufffd');
}

/** Cleans lines of the command itself and keeps their colours. */
export function cleanLines(text: string): string {
  return text.replaceAll(inPainted, (found) => (found.length > 1 ? found : '\ufffd'));
}

/** Cleans text of others that has several lines. */
export function cleanParagraphs(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(inText, '\ufffd');
}

/** Matches the sequences that most programs write: colours and cursor moves. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how a terminal is steered.
const sequences = /\x1b\[[\d;:?]*[@-~]/g;
/** Matches a sequence or line end that may continue in the next piece. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how a terminal is steered.
const unfinished = /(\x1b(\[[\d;:?]{0,32})?|\r)$/;

/**
 * Makes the output of a job harmless, piece by piece. Drops colours and cursor moves. A line that
 * the program overwrote (a progress bar) becomes several, so nothing stays hidden.
 */
export function createOutputCleaner(): { clean(bytes: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder();
  let held = '';
  const cleanWhole = (text: string) =>
    cleanParagraphs(text.replaceAll(sequences, '').replaceAll(/\r+\n?/g, '\n'));
  return {
    clean(bytes) {
      const text = held + decoder.decode(bytes, { stream: true });
      held = unfinished.exec(text)?.[0] ?? '';
      return cleanWhole(text.slice(0, text.length - held.length));
    },
    end: () => cleanWhole(held + decoder.decode()),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how a terminal is told of colours.
const colour = /\x1b\[[\d;]*m/g;
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Takes a while to load, and most tables need none. */
let letters: Intl.Segmenter | undefined;
/** Text in which each character is a letter of its own: Latin, dashes, arrows, icons of stages. */
const isPlain = /^[\u0020-\u024f\u2010-\u27bf]*$/;

/**
 * Counts the terminal columns of a text: none for colours, two for East Asian letters and emoji.
 */
export function measureText(text: string): number {
  return split(text.replaceAll(colour, '')).reduce((sum, letter) => sum + widthOf(letter), 0);
}

/** Cuts text without colours to this many columns and marks it as cut. */
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

/** Breaks text without colours into lines of at most this many columns, between words if it can. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => breakWord(each, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measureText(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  return [...lines, line];
}

function breakWord(word: string, columns: number): string[] {
  const pieces = [''];
  for (const letter of split(word)) {
    const longer = `${pieces.at(-1)}${letter}`;
    if (pieces.at(-1) === '' || measureText(longer) <= columns) pieces[pieces.length - 1] = longer;
    else pieces.push(letter);
  }
  return pieces;
}

export function padText(text: string, columns: number, side: 'start' | 'end'): string {
  const blank = ' '.repeat(Math.max(0, columns - measureText(text)));
  return side === 'start' ? `${blank}${text}` : `${text}${blank}`;
}

function split(text: string): string[] {
  if (isPlain.test(text)) return Array.from(text);
  letters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(letters.segment(text), ({ segment }) => segment);
}

function widthOf(letter: string): number {
  return wide.test(letter) ? 2 : 1;
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

type Colour = keyof typeof codes;
export type Paint = (colour: Colour, text: string) => string;

/** Uses colours on terminals only, and respects NO_COLOR (https://no-color.org). */
export function createPaint(
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const wanted =
    output.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
  return (colour, text) => (wanted ? `\x1b[${codes[colour]}m${text}\x1b[0m` : text);
}

export const colourOf = {
  waiting: 'yellow',
  starting: 'cyan',
  running: 'cyan',
  finishing: 'cyan',
  done: 'green',
  failed: 'red',
  cancelled: 'dim',
  deleted: 'dim',
  unknown: 'dim',
} as const satisfies Record<Meaning, Colour>;
