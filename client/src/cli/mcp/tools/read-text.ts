export interface TextPart {
  readonly text: string;
  /** The byte after it; nothing where the file ends with it. */
  readonly next: number | null;
}

/** A part of a file as text, of at most so many bytes; the rest is not fetched. */
export async function readText(
  body: AsyncIterable<Uint8Array> | null,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<TextPart> {
  const chunks: Uint8Array[] = [];
  const end = from + most;
  let seen = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk.subarray(Math.max(0, from - seen), Math.max(0, end - seen)));
    seen += chunk.length;
    if (seen > end) break;
  }
  const bytes = Buffer.concat(chunks);
  const isCut = seen > end;
  const part = isCut ? bytes.subarray(0, endOfLastCharacter(bytes)) : bytes;
  return { text: part.toString('utf8'), next: isCut ? from + part.length : null };
}

/** A letter of several bytes is not cut in two: the next part begins with it. */
function endOfLastCharacter(bytes: Uint8Array): number {
  const isInside = (byte = 0) => (byte & 0xc0) === 0x80;
  let begin = bytes.length - 1;
  while (begin > bytes.length - 4 && isInside(bytes[begin])) begin -= 1;
  const first = bytes[begin] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return begin + length > bytes.length ? begin : bytes.length;
}
