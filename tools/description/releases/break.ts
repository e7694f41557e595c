/** What a client that was written before cannot do any more, or is not ready for. */
export interface Break {
  /** By this a line of the changelog names it: `Job.title`, `listJobs ?limit`. */
  readonly name: string;
  readonly what: string;
}
