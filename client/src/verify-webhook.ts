const toleranceSeconds = 300;

/** Secrets of Standard Webhooks have at least this many bytes. Anybody could sign with an empty one. */
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
  const secretBytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (!secretBytes || secretBytes.length < leastSecretBytes) {
    throw new TypeError(
      "This is not the secret of a webhook. It begins with 'whsec_', and the service shows it once, when the webhook is created.",
    );
  }
  const read = (name: string) =>
    headers instanceof Headers ? headers.get(name) : (headers[name] ?? null);
  const id = read('webhook-id');
  const timestamp = read('webhook-timestamp');
  const signatures = (read('webhook-signature') ?? '')
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? (fromBase64(each.slice(3)) ?? []) : []));
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (id === null || timestamp === null || !(age <= toleranceSeconds)) return false;
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const encoder = new TextEncoder();
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Blob([encoder.encode(`${id}.${timestamp}.`), content]);
  const bytes = new Uint8Array(await signed.arrayBuffer());
  const checks = signatures.map((each) => crypto.subtle.verify('HMAC', key, each, bytes));
  return (await Promise.all(checks)).includes(true);
}

/** Returns undefined if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
