/** Declares what a function does with the files of jobs. Its role allows exactly that. */
export interface FileUse {
  readonly inputs?: readonly FileAction[];
  readonly results?: readonly FileAction[];
  /** On the buckets of the catalog: those that jobs fetch from, or those that they send to. */
  readonly buckets?: readonly ('GetObject' | 'PutObject')[];
}

/** A presigned URL needs the same right as the call itself. */
export type FileAction = 'DeleteObject' | 'GetObject' | 'ListMultipartUploadParts' | 'PutObject';
