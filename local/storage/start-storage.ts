import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { allowAtStorage, readAskingPage } from '../loopback/cross-origin.ts';
import { keepConnections, listenOnLoopback } from '../loopback/listen-on-loopback.ts';
import { isOwnHost, isOwnOrigin } from '../loopback/own-address.ts';
import { refuseUnreadable } from '../loopback/refuse-unreadable.ts';
import { answerRequest, type Storage } from './answer-request.ts';
import { keepObjectsInMemory } from './objects-in-memory.ts';
import { keepObjectsOnDisk } from './objects-on-disk.ts';
import { openDirectStore } from './open-direct-store.ts';
import { type StorageCredentials, StorageRefusal } from './verify-signature.ts';

interface LocalStorageOptions {
  readonly buckets: readonly string[];
  /** Requests must be signed with these. */
  readonly credentials: StorageCredentials;
  /** Folder of the files. Without it, they are in memory and lost after `close`. */
  readonly directory?: string;
  /**
   * Returns the origins whose pages may upload files. Called for every request, because some become
   * known later.
   */
  readonly corsOrigins?: () => readonly string[];
  /** 0 picks a free port. */
  readonly port?: number;
  readonly now?: () => Date;
}

export type LocalStorage = Awaited<ReturnType<typeof startStorage>>;

/** Serves the part of S3 that the service uses, on the loopback address. */
export async function startStorage({
  buckets,
  credentials,
  directory,
  corsOrigins = () => [],
  port = 0,
  now = () => new Date(),
}: LocalStorageOptions) {
  const objects = directory === undefined ? keepObjectsInMemory() : keepObjectsOnDisk(directory);
  const storage: Storage = { objects, buckets, credentials, now };
  /** Serves another server's requests below this path, whose Host header that server has checked. */
  const serveBelow =
    (path: string): RequestListener =>
    (request, response) => {
      const asking = readAskingPage(request);
      if (isForeignPage(request, corsOrigins())) {
        refuse(response, foreign('Pages of this origin may not use the storage.'));
        request.resume();
        return;
      }
      const allowed = allowAtStorage(asking, corsOrigins());
      for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value);
      if (asking.method === 'OPTIONS') {
        response.writeHead('access-control-allow-origin' in allowed ? 200 : 403).end();
        return;
      }
      answerRequest(storage, path, request, response).catch((error: unknown) => {
        refuse(response, error);
        // Read the rest, because clients read the response only after sending everything.
        request.resume();
      });
    };
  const serve = serveBelow('');
  const server = createServer((request, response) => {
    if (isOwnHost(request)) return serve(request, response);
    refuse(response, foreign('The Host header names another host.'));
    request.resume();
  });
  // Large uploads may take long.
  server.requestTimeout = 0;
  keepConnections(server);
  refuseUnreadable(server);
  const listening = await listenOnLoopback(server, port);
  return {
    ...listening,
    serveBelow,
    /** Serves the functions of this process. */
    openBucket: (bucket: string) => openDirectStore(objects, bucket),
    canWrite: objects.canWrite,
  };
}

/**
 * Whether a page of another site sent the request. Browsers send the origin `null` when they follow
 * a redirect from the service to a file.
 */
function isForeignPage(request: IncomingMessage, pages: readonly string[]): boolean {
  const { method, origin, wanted } = readAskingPage(request);
  const asked = method === 'OPTIONS' ? wanted : method;
  const isRedirected = origin === 'null' && (asked === 'GET' || asked === 'HEAD');
  return !isRedirected && !isOwnOrigin(request, pages);
}

function foreign(message: string): StorageRefusal {
  return new StorageRefusal(403, 'AccessDenied', message);
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const refusal = asRefusal(error);
  response.writeHead(refusal.status, {
    'content-type': 'application/xml',
    connection: 'close',
    ...refusal.headers,
  });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
      `<Error><Code>${refusal.code}</Code><Message>${refusal.message}</Message></Error>`,
  );
}

function asRefusal(error: unknown): StorageRefusal {
  if (error instanceof StorageRefusal) return error;
  if (error instanceof StorageUnavailableError) {
    return new StorageRefusal(503, 'ServiceUnavailable', error.message, { 'retry-after': '10' });
  }
  console.error('Local storage:', error);
  return new StorageRefusal(500, 'InternalError', 'The storage failed.');
}
