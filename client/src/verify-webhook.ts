const toleranceSeconds = 300;
/** Those of Standard Webhooks are no shorter. Anybody could sign with an empty one. */
const leastSecretBytes = 24;

/**
 * Checks that a push is from the service and fresh (Standard Webhooks). Pass the body byte by byte
 * as it came, not parsed and written again. Throws only for a secret that cannot be one, because no
 * push would ever be valid.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | undefined>>,
  body: string | Uint8Array<ArrayBuffer>,
  now = Date.now(),
): Promise<boolean> {
  const raw = fromBase64(secret.replace(/^whsec_/, ''));
  if (raw.length < leastSecretBytes) throw new TypeError('This is not the secret of a webhook.');
  const read = (name: string) =>
    headers instanceof Headers ? headers.get(name) : (headers[name] ?? null);
  const id = read('webhook-id');
  const timestamp = read('webhook-timestamp');
  const signatures = (read('webhook-signature') ?? '').split(' ');
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (id === null || !(age <= toleranceSeconds)) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  const signed = await new Blob([`${id}.${timestamp}.`, body]).arrayBuffer();
  const checks = signatures
    .filter((each) => each.startsWith('v1,'))
    .map((each) => crypto.subtle.verify('HMAC', key, fromBase64(each.slice(3)), signed));
  return (await Promise.all(checks)).includes(true);
}

/** Returns nothing if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
