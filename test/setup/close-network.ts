import { Socket } from 'node:net';

const loopback = new Set(['localhost', '127.0.0.1', '::1']);

/**
 * A test that reaches beyond this machine is wrong, and must not pass where the network happens to
 * be open. With BASE_URL the contract suite is sent elsewhere on purpose.
 */
if (!process.env.CONTRACT_URL) {
  Socket.prototype.connect = new Proxy(Socket.prototype.connect, {
    apply(connect, socket: Socket, parameters: unknown[]) {
      const host = findHost(parameters);
      if (host !== undefined && !loopback.has(host)) {
        throw new Error(`A test tried to reach ${host}: the network is closed.`);
      }
      return Reflect.apply(connect, socket, parameters);
    },
  });
}

/** `net.connect` passes its normalized arguments on as one array. */
function findHost(parameters: readonly unknown[]): string | undefined {
  const [first, second] = Array.isArray(parameters[0]) ? parameters[0] : parameters;
  if (typeof first === 'object' && first !== null && 'host' in first) {
    return typeof first.host === 'string' ? first.host : undefined;
  }
  return typeof second === 'string' ? second : undefined;
}
