/** Called with the bytes done, and their total. */
export type Progress = (done: number, whole: number) => void;

/** A file to send to the storage. */
export interface FilePut {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly blob: Blob;
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many milliseconds it may stall. */
  readonly timeout?: number | undefined;
}

/** Sends the file once and returns the status of the answer. */
export type PutFile = (put: FilePut) => Promise<number>;
