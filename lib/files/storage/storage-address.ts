import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '#lib/outbound/sha256.ts';

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

/** Credentials and place of a storage, as the environment of a function names them. */
export interface StorageSettings {
  readonly AWS_REGION: string;
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  /** Another storage than S3. */
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
}

/** S3 takes the path as it is sent: it must not be encoded a second time for its signature. */
export function createSigner(settings: StorageSettings): SignatureV4 {
  return new SignatureV4({
    service: 's3',
    region: settings.AWS_REGION,
    credentials: {
      accessKeyId: settings.AWS_ACCESS_KEY_ID,
      secretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
      ...(settings.AWS_SESSION_TOKEN !== undefined && { sessionToken: settings.AWS_SESSION_TOKEN }),
    },
    sha256: Sha256,
    uriEscapePath: false,
  });
}
