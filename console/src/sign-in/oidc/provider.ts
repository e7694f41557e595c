/** Where an issuer is asked for what (OpenID Connect Discovery). */
export interface Provider {
  readonly authorization: string;
  readonly token: string;
  readonly endSession: string | undefined;
}

export async function discoverProvider(issuer: string): Promise<Provider> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  const found = await response.json();
  if (found.issuer !== issuer) throw new Error(`${address} is of another issuer: ${found.issuer}.`);
  return {
    authorization: found.authorization_endpoint,
    token: found.token_endpoint,
    endSession: found.end_session_endpoint,
  };
}
