/** What a function does with the files of jobs, declared: its role may do exactly that. */
export interface FileUse {
  /** The zips that jobs begin with. */
  readonly inputs?: readonly FileAction[];
  /** What jobs leave. */
  readonly results?: readonly FileAction[];
}

/** An address that is signed for somebody else needs the same right as the call itself. */
export type FileAction = 'DeleteObject' | 'GetObject' | 'PutObject';
