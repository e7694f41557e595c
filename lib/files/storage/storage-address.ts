import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '#lib/outbound/sha256.ts';

/** Host suffixes by the start of the region's name. All others are at amazonaws.com. */
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

/**
 * S3 has a host per bucket. Other storages take the bucket in the path, because their host may be
 * an IP address. As in the SDK, the endpoint of the service comes before the one of all services.
 */
export function locateBucket(bucket: string, settings: StorageLocation): URL {
  const { AWS_REGION, AWS_ENDPOINT_URL_S3: endpoint = settings.AWS_ENDPOINT_URL } = settings;
  return endpoint === undefined
    ? new URL(`https://${bucket}.s3.${AWS_REGION}.${endingFor(AWS_REGION)}/`)
    : new URL(`${endpoint.replace(/\/$/, '')}/${bucket}/`);
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

/** Encodes as RFC 3986 says, because signatures are computed over that form. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export interface StorageLocation {
  readonly AWS_REGION: string;
  /** Set for a storage other than S3. */
  readonly AWS_ENDPOINT_URL_S3?: string | undefined;
  /** Set for an emulator of AWS. */
  readonly AWS_ENDPOINT_URL?: string | undefined;
}

interface StorageCredentials {
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
  readonly AWS_SESSION_TOKEN?: string | undefined;
}

/** Credentials and location of a storage, as in the environment of a function. */
export interface StorageSettings extends StorageLocation, StorageCredentials {}

/** S3 signs the path as it is sent, so it must not be escaped a second time. */
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
