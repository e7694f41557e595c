/** A part of an object that has arrived. */
export interface StoredPart {
  /** From 1. */
  readonly number: number;
  readonly bytes: number;
  /** What the storage calls these bytes. */
  readonly tag: string;
}

/** An object that is sent in parts, each to an address of its own. It appears when they are joined. */
export interface PartStore {
  /** Returns the id of the parts. All but the last must have this length. */
  begin(key: string, partBytes: number): Promise<string>;
  /** Lists what has arrived, or returns undefined if the parts are joined or gone. */
  list(key: string, id: string): Promise<readonly StoredPart[] | undefined>;
  /** Makes the parts an object. Returns false if one of them has changed since it was listed. */
  join(key: string, id: string, parts: readonly StoredPart[]): Promise<boolean>;
}

/** The parameters of S3 that select a part. */
export function selectPart(id: string, number: number): Record<string, string> {
  return { partNumber: String(number), uploadId: id };
}

export function readPartsId(answer: string): string {
  const [, id] = /<UploadId>([^<]+)<\/UploadId>/.exec(answer) ?? [];
  if (id === undefined) throw new Error('The storage answered without an UploadId.');
  return unescapeXml(id);
}

/** Reads a page of parts, and the number after which the next one begins. */
export function readParts(answer: string): { parts: StoredPart[]; next: string | undefined } {
  const parts = [...answer.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(fieldOf(part, 'PartNumber')),
    bytes: Number(fieldOf(part, 'Size')),
    tag: unescapeXml(fieldOf(part, 'ETag') ?? ''),
  }));
  const isCut = fieldOf(answer, 'IsTruncated') === 'true';
  return { parts, next: isCut ? fieldOf(answer, 'NextPartNumberMarker') : undefined };
}

function fieldOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

export function writeJoin(parts: readonly StoredPart[]): string {
  const lines = parts.map(
    ({ number, tag }) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const space = 'http://s3.amazonaws.com/doc/2006-03-01/';
  return `<CompleteMultipartUpload xmlns="${space}">${lines.join('')}</CompleteMultipartUpload>`;
}

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&#34;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:quot|#34|lt|gt|amp);/g, (entity) => entities[entity] ?? entity);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
