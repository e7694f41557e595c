import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Client, ParsedKey } from 'ssh2';
import { CredentialsRefusedError, SystemUnavailableError } from '../../errors.ts';

/** Long enough to log in with a clock that is a little off. An open connection needs no certificate. */
const validSeconds = 300;
const clockSkewSeconds = 300;

const keyType = 'ssh-ed25519';
const certificateType = 'ssh-ed25519-cert-v01@openssh.com';
const userCertificate = 1;

/**
 * Makes a key for one login as an account, with a certificate that the key of the service's own
 * authority signs. Only the account's name is in it, and nothing but running commands is allowed.
 */
export function certify(client: Client, authority: ParsedKey, account: string): ParsedKey {
  if (authority.type !== keyType) {
    throw new CredentialsRefusedError(`The caKey must be an Ed25519 key, not ${authority.type}.`);
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const now = Math.floor(Date.now() / 1000);
  const content = Buffer.concat([
    inText(certificateType),
    inText(randomBytes(32)),
    inText(Buffer.from(x, 'base64url')),
    inNumber(0n, 8),
    inNumber(BigInt(userCertificate), 4),
    inText(`slipway for ${account}`),
    inText(inText(account)),
    inNumber(BigInt(now - clockSkewSeconds), 8),
    inNumber(BigInt(now + validSeconds), 8),
    // No critical options, no extensions (a terminal, forwarding), and the field that is reserved.
    ...[inText(''), inText(''), inText('')],
    inText(authority.getPublicSSH()),
  ]);
  const certificate = Buffer.concat([content, inText(inSignature(authority.sign(content)))]);
  const key: ParsedKey = Object.create(authority, {
    type: { value: certificateType },
    getPublicSSH: { value: () => certificate },
    sign: {
      value: (request: Buffer) => {
        const signature = sign(null, request, privateKey);
        sendInstead(client, withSignature(request, signature));
        return signature;
      },
    },
  });
  return key;
}

/** What ssh2 hands out to be signed: the session, and then what is sent before the signature. */
function withSignature(request: Buffer, signature: Buffer): Buffer {
  const session = 4 + request.readUInt32BE(0);
  return Buffer.concat([request.subarray(session), inText(inSignature(signature))]);
}

function inSignature(signature: Buffer): Buffer {
  return Buffer.concat([inText(keyType), inText(signature)]);
}

function inText(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([inNumber(BigInt(bytes.length), 4), bytes]);
}

function inNumber(value: bigint, bytes: 4 | 8): Buffer {
  const written = Buffer.alloc(8);
  written.writeBigUInt64BE(value);
  return written.subarray(8 - bytes);
}

/** The part of ssh2 1.17.0 that writes packets. It is not public. */
interface PacketWriter {
  readonly allocStart: number;
  alloc(bytes: number): Buffer;
  finalize(packet: Buffer): Buffer;
}

function isWriter(value: unknown): value is PacketWriter {
  return (
    typeof fieldOf(value, 'alloc') === 'function' &&
    typeof fieldOf(value, 'finalize') === 'function' &&
    typeof fieldOf(value, 'allocStart') === 'number'
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Replaces the next packet. ssh2 names the type of the certificate in the signature, and sshd expects
 * that of the key there. A test with a real sshd tells when a version of ssh2 does it by itself.
 */
function sendInstead(client: Client, payload: Buffer): void {
  const writer = fieldOf(fieldOf(fieldOf(client, '_protocol'), '_packetRW'), 'write');
  if (!isWriter(writer)) throw new SystemUnavailableError('ssh2 sends no certificates any more.');
  const { finalize } = writer;
  writer.finalize = () => {
    writer.finalize = finalize;
    const packet = writer.alloc(payload.length);
    packet.set(payload, writer.allocStart);
    return finalize.call(writer, packet);
  };
}
