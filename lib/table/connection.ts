/** A command of the SDK, as far as whoever answers it must know it. */
export interface SentCommand {
  readonly input: object;
}

/** Makes a new client ready for the way that its requests take. */
export type Connection = (client: object) => void;

const overHttp: Connection = () => undefined;

let current = overHttp;

export function chooseConnection(): Connection {
  return current;
}

/**
 * For a process that has the engine in itself, before its functions are loaded. Without a
 * connection it is over HTTP again.
 */
export function connectInProcess(connection: Connection = overHttp): void {
  current = connection;
}
