/** One result of a measurement: a ratio of two things that were measured in the same run. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** At most this. */
  readonly budget: number;
  /** What the ratio was made of, for whoever reads the table. */
  readonly measured: string;
}
