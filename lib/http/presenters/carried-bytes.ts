/** Lambda limits a response to 6 MB, including the escapes of the body inside of JSON. */
const maxBodyBytes = 4_500_000;

/** Returns a function that says whether a text still fits into an answer after those before it. */
export function createCounter(): (text: string, before: readonly string[]) => boolean {
  let bytes = 0;
  let isExact = false;
  return (text, before) => {
    bytes += isExact ? carriedBytes(text) : mostCarriedBytes(text);
    if (!isExact && bytes > maxBodyBytes) {
      isExact = true;
      bytes = [...before, text].reduce((sum, each) => sum + carriedBytes(each), 0);
    }
    return bytes <= maxBodyBytes;
  };
}

/** Assumes that every byte is escaped. Counting exactly costs more and matters only for large pages. */
function mostCarriedBytes(text: string): number {
  return 2 * Buffer.byteLength(text) + 1;
}

/** Counts quotes and backslashes twice, because Lambda escapes the body once more. */
function carriedBytes(text: string): number {
  let bytes = Buffer.byteLength(text) + 1;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote || code === backslash) bytes += 1;
  }
  return bytes;
}

const quote = 0x22;
const backslash = 0x5c;
