import { openProvided } from '#lib/outbound/in-process.ts';

/** The part of an SDK command that an in-process engine needs to answer it. */
export interface SentCommand {
  readonly input: object;
}

/** Prepares a new client for its connection, over HTTP or to an engine in this process. */
export type Connection = (client: object) => void;

const connection = openProvided<Connection>(() => undefined);

export const chooseConnection = connection.inUse;

/** Connects new clients to an engine in this process. */
export const connectInProcess = connection.provide;
