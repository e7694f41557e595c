/**
 * Ports at which the command waits for the browser (RFC 8252, 7.3). They are fixed, because some
 * issuers, such as Cognito, accept only registered addresses with their port.
 */
export const loopbackPorts = [18417, 18517, 28417] as const;

export const loopbackPath = '/callback';

/** Returns the redirect address for a port. It names the address, since `localhost` may be mapped. */
export function loopbackAddress(port: number): string {
  return `http://127.0.0.1:${port}${loopbackPath}`;
}

/** Lists the redirect addresses to register at an issuer. */
export const loopbackAddresses = loopbackPorts.map(loopbackAddress);
