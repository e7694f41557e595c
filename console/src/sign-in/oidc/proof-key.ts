/** RFC 7636: what only the page that began can show at the end. */
export async function createProofKey(): Promise<{
  readonly verifier: string;
  readonly challenge: string;
}> {
  const verifier = createChance();
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: encode(new Uint8Array(hash)) };
}

/** 256 bits that nobody guesses. */
export function createChance(): string {
  return encode(crypto.getRandomValues(new Uint8Array(32)));
}

function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
