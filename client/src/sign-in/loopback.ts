/**
 * Ports at which the command waits for the browser (RFC 8252, 7.3). They are fixed, because some
 * issuers, such as Cognito, accept only registered addresses with their port.
 */
export const loopbackPorts = [18417, 18517, 28417] as const;

export const loopbackPath = '/callback';

/**
 * How a redirect names this machine: by its address, since `localhost` may be mapped, unless the
 * issuer allows plain HTTP for that name alone, as Cognito's reference says.
 */
export type LoopbackHost = '127.0.0.1' | 'localhost';

/** Returns the redirect address for a port. */
export function loopbackAddress(port: number, host: LoopbackHost = '127.0.0.1'): string {
  return `http://${host}:${port}${loopbackPath}`;
}

/** Lists the redirect addresses to register at an issuer. */
export function listLoopbackAddresses(host?: LoopbackHost): string[] {
  return loopbackPorts.map((port) => loopbackAddress(port, host));
}
