import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '#lib/outbound/sha256.ts';

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
