/** The part of an SDK command that an in-process engine needs to answer it. */
export interface SentCommand {
  readonly input: object;
}

/** Prepares a new client for its connection, over HTTP or to an engine in this process. */
export type Connection = (client: object) => void;

const overHttp: Connection = () => undefined;

let current = overHttp;

export function chooseConnection(): Connection {
  return current;
}

/**
 * Connects new clients to an engine in this process. Call it before the functions are loaded.
 * Without an argument, new clients use HTTP again.
 */
export function connectInProcess(connection: Connection = overHttp): void {
  current = connection;
}
