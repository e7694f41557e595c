/** Declares what a function does with the files of jobs. Its role allows exactly that. */
export interface FileUse {
  /** The zips that jobs start with. */
  readonly inputs?: readonly FileAction[];
  /** The files that jobs produce. */
  readonly results?: readonly FileAction[];
}

/** A presigned URL needs the same right as the call itself. */
export type FileAction = 'DeleteObject' | 'GetObject' | 'PutObject';
