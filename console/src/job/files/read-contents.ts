import type { FileOfJob, JobFile, Slipway } from '#client/src/index.ts';

export type Contents =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly blob: Blob }
  | { readonly kind: 'other'; readonly reason: string };

/** What a page shows without growing slow. */
const mostBytes = 2_000_000;

const imageTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

export async function readContents(
  service: Slipway,
  place: FileOfJob,
  { filename, length }: JobFile,
  signal: AbortSignal,
): Promise<Contents> {
  if (length > mostBytes)
    return { kind: 'other', reason: 'It is too large to be shown here. Download it.' };
  const response = await service.readFile(place, { signal });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = imageTypes[filename.split('.').at(-1)?.toLowerCase() ?? ''];
  if (type !== undefined) return { kind: 'image', blob: new Blob([bytes], { type }) };
  return readText(bytes);
}

/** A zero is in no text. */
export function readText(bytes: Uint8Array): Contents {
  if (bytes.includes(0)) return { kind: 'other', reason: 'It is no text. Download it.' };
  return { kind: 'text', text: new TextDecoder().decode(bytes) };
}
