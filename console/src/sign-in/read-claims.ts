import type { OidcConfig } from '../../serving/console-config.ts';

/**
 * What the console shows of its user. Nothing is verified here: whoever could change the token
 * would only change what their own page looks like.
 */
export function readClaims(
  token: string,
  names: OidcConfig['claims'],
): { readonly user: string; readonly administrator: boolean } {
  const claims = decodePart(token.split('.')[1] ?? '');
  const holds = (value: unknown) =>
    Array.isArray(value) ? value.includes(names.adminValue) : value === names.adminValue;
  return {
    user: String(claims[names.user] ?? ''),
    administrator: names.admin.some((name) => holds(claims[name])),
  };
}

/** By which an ID token names the attempt that it belongs to. */
export function readNonce(idToken: string): unknown {
  return decodePart(idToken.split('.')[1] ?? '').nonce;
}

function decodePart(part: string): Readonly<Record<string, unknown>> {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
