/** How a command ends, for whoever started it. */
export const outcome = {
  done: 0,
  jobFailed: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  interrupted: 130,
} as const;

export type Outcome = (typeof outcome)[keyof typeof outcome];

/** What cannot be done, in words for the person who asked for it. */
export class CannotDo extends Error {
  readonly outcome: Outcome;
  /** The one thing to do next. */
  readonly next: string | undefined;

  constructor(message: string, how: { readonly outcome?: Outcome; readonly next?: string } = {}) {
    super(message);
    this.outcome = how.outcome ?? outcome.usage;
    this.next = how.next;
  }
}
