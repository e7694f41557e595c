/** Called with the bytes done, and their total. */
export type Progress = (done: number, whole: number) => void;

export interface FileToSend {
  readonly blob: Blob;
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file to upload. */
export interface NamedFile extends FileToSend {
  readonly filename: string;
  /** The upload to go on with. */
  readonly uploadId?: string | undefined;
  /** Called with the id of the upload before the first part is sent. */
  readonly onUpload?: ((uploadId: string) => void) | undefined;
}

/** A file to send to the storage. */
export interface FilePut extends FileToSend {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How many milliseconds it may stall. */
  readonly timeout?: number | undefined;
}

/** Sends the file once and returns the status of the answer. */
export type PutFile = (put: FilePut) => Promise<number>;
