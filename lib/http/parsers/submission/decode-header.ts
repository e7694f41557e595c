/**
 * Clients put UTF-8 into headers, and HTTP hands it on byte for byte as Latin-1. Text that reads
 * as UTF-8 is decoded, any other is left as it came.
 */
export function decodeHeader(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.toString('latin1') !== text) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return text;
  }
}
