import { type Server, STATUS_CODES } from 'node:http';

/** How long a client may go on sending what nobody reads. */
const drainMs = 2_000;

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers requests that are not HTTP, or whose headers are too long, as Node does, but then reads on
 * until the client has heard it. Node closes at once, which resets the connection of a client that is
 * still sending: it would see a broken connection in the place of the 431.
 */
export function refuseUnreadable(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) {
      if (!socket.writableEnded) socket.destroy(error);
      return;
    }
    const status = statusOf[error.code ?? ''] ?? 400;
    const message = STATUS_CODES[status] ?? '';
    const body = JSON.stringify({ message });
    socket.end(
      `HTTP/1.1 ${status} ${message}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    socket.once('end', () => socket.destroy());
    setTimeout(() => socket.destroy(), drainMs).unref();
  });
}
