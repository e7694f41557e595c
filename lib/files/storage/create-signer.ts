import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

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

/** Node's own hash in the form that the signer asks for. */
class Sha256 {
  readonly #secret: string | Uint8Array | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = secret === undefined ? undefined : toBytes(secret);
    this.#hash = this.#begin();
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBytes(chunk));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}

function toBytes(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
