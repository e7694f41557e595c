/** Bytes on their way, of which nobody holds more than a piece: read once, to the end or cancelled. */
export interface ByteStream {
  /** Exactly so many come. */
  readonly bytes: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** What can be read again from its beginning: a try that failed has read some of it. */
export interface ByteSource {
  open(): Promise<ByteStream>;
}
