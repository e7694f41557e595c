/**
 * What a terminal takes for an order: control characters, and the marks that turn the direction of
 * writing. Titles, reasons, names, answers of a service and output of jobs come from others, so
 * these are shown as a replacement character and not obeyed.
 */
const orders = String.raw`\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const inLine = new RegExp(`[${orders}]`, 'gu');
/** Between lines, which end with \n. */
const inText = new RegExp(String.raw`(?![\n\t])[${orders}]`, 'gu');
/** Colours are the only sequences that the command itself writes within its lines. */
const inPainted = new RegExp(String.raw`\x1b\[(?:[012]|3[1236])m|(?![\n\t])[${orders}]`, 'gu');

/** For a piece of a line. */
export function cleanText(text: string): string {
  return text.replaceAll(inLine, '\ufffd');
}

/** For lines of the command itself, with its colours. */
export function cleanLines(text: string): string {
  return text.replaceAll(inPainted, (found) => (found.length > 1 ? found : '\ufffd'));
}

/** Text of others in lines of its own. */
export function cleanParagraphs(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(inText, '\ufffd');
}

/** A colour, a cursor that moves: what most programs write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how a terminal is steered.
const sequences = /\x1b\[[\d;:?]*[@-~]/g;
/** One that may go on in the next piece, and a line end of which one half is here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how a terminal is steered.
const unfinished = /(\x1b(\[[\d;:?]{0,32})?|\r)$/;

/**
 * Makes the output of a job harmless, piece by piece. Colours and moves of the cursor go; a line that
 * a program wrote over (a progress bar) becomes several, so nothing that was written is hidden.
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
