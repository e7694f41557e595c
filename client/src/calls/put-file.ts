/** How many bytes of how many have been sent, packed or received. */
export type Progress = (done: number, whole: number) => void;

/** A file on its way to the storage. */
export interface FilePut {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly blob: Blob;
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many milliseconds it may stand still. */
  readonly timeout?: number | undefined;
}

/** Sends it once, and says with which status it was answered. */
export type PutFile = (put: FilePut) => Promise<number>;
