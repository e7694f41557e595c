import { StorageRefusal } from './storage-refusal.ts';

/** The form of a path over which signatures are made: each segment encoded once, by RFC 3986. */
export function canonicalPath(path: string): string {
  return path.split('/').map(recode).join('/');
}

/** Parameters in the order of their encoded names; the signature itself is none of them. */
export function canonicalQuery(query: string, leftOut: string): string {
  return splitQuery(query)
    .map(([name, value]) => [recode(name), recode(value)] as const)
    .filter(([name]) => name !== leftOut)
    .map((pair) => pair.join('='))
    .sort()
    .join('&');
}

/** By name, decoded. A parameter that is given twice has no meaning here. */
export function readQuery(query: string): ReadonlyMap<string, string> {
  const pairs = splitQuery(query).map(([name, value]) => [decode(name), decode(value)] as const);
  const parameters = new Map(pairs);
  if (parameters.size < pairs.length) {
    throw new StorageRefusal(400, 'InvalidArgument', 'A parameter is given twice.');
  }
  return parameters;
}

/** `/<bucket>/<key>`, decoded. */
export function readObjectPath(path: string): { bucket: string; key: string } {
  const [, bucket = '', ...segments] = path.split('/').map(decode);
  return { bucket, key: segments.join('/') };
}

function splitQuery(query: string): [string, string][] {
  return query.split('&').flatMap((pair): [string, string][] => {
    if (pair === '') return [];
    const at = pair.indexOf('=');
    return at < 0 ? [[pair, '']] : [[pair.slice(0, at), pair.slice(at + 1)]];
  });
}

function recode(text: string): string {
  return encodeURIComponent(decode(text)).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageRefusal(400, 'InvalidURI', 'The address cannot be decoded.');
  }
}
