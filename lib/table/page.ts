/** A part of a list, and the position to continue after if there is more. */
export interface Page<Entry, Position> {
  readonly entries: readonly Entry[];
  readonly next: Position | undefined;
}
