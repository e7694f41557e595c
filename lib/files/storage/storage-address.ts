import type { StorageSettings } from './create-signer.ts';

/** Endings of AWS hosts in regions whose names begin like this; all others are at amazonaws.com. */
const endings: Readonly<Record<string, string>> = {
  'cn-': 'amazonaws.com.cn',
  'eusc-': 'amazonaws.eu',
  'us-iso-': 'c2s.ic.gov',
  'us-isob-': 'sc2s.sgov.gov',
  'us-isof-': 'csp.hci.ic.gov',
  'eu-isoe-': 'cloud.adc-e.uk',
};

function endingFor(region: string): string {
  const [, ending] = Object.entries(endings).find(([start]) => region.startsWith(start)) ?? [];
  return ending ?? 'amazonaws.com';
}

/** S3 has a host per bucket; others are asked by path, because their host is an address. */
export function locateBucket(
  bucket: string,
  { AWS_REGION, AWS_ENDPOINT_URL_S3 }: StorageSettings,
): URL {
  return AWS_ENDPOINT_URL_S3 === undefined
    ? new URL(`https://${bucket}.s3.${AWS_REGION}.${endingFor(AWS_REGION)}/`)
    : new URL(`${AWS_ENDPOINT_URL_S3.replace(/\/$/, '')}/${bucket}/`);
}

export function encodeKey(key: string): string {
  return key.split('/').map(encodeStrictly).join('/');
}

export function writeAddress(
  base: URL,
  path: string,
  query: Readonly<Record<string, unknown>>,
): string {
  const parameters = Object.entries(query).map(
    ([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(String(value))}`,
  );
  return `${base.origin}${path}?${parameters.join('&')}`;
}

/** As RFC 3986 has it, which signatures are made over. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
