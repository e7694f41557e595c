const toleranceSeconds = 300;

/**
 * Checks that a push is from the service and fresh (Standard Webhooks). Pass the body byte by byte
 * as it came, not parsed and written again.
 */
export async function verifyWebhook(
  secret: string,
  headers: Headers | Readonly<Record<string, string | undefined>>,
  body: string | Uint8Array<ArrayBuffer>,
  now = Date.now(),
): Promise<boolean> {
  const read = (name: string) =>
    headers instanceof Headers ? headers.get(name) : (headers[name] ?? null);
  const id = read('webhook-id');
  const timestamp = read('webhook-timestamp');
  const signatures = (read('webhook-signature') ?? '').split(' ');
  const age = Math.abs(now / 1000 - Number(timestamp));
  if (id === null || timestamp === null || !(age <= toleranceSeconds)) return false;
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const encoder = new TextEncoder();
  const content = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Blob([encoder.encode(`${id}.${timestamp}.`), content]);
  const bytes = new Uint8Array(await signed.arrayBuffer());
  const checks = signatures
    .filter((each) => each.startsWith('v1,'))
    .map((each) => crypto.subtle.verify('HMAC', key, fromBase64(each.slice(3)), bytes));
  return (await Promise.all(checks)).includes(true);
}

/** Returns undefined if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
