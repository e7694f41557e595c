/** A call of the service to AWS, as far as authorization looks at it. */
export type ServiceCall =
  | { readonly to: 'table'; readonly uses: readonly ItemUse[] }
  | { readonly to: 'inputs' | 'results'; readonly method: string }
  | { readonly to: 'bus' }
  | { readonly to: 'aws-batch'; readonly action: string }
  | { readonly to: 'secrets' };

/** One action on items; of a transaction, all that it does of one action in one place. */
export interface ItemUse {
  /** As IAM calls it, without the service before it. */
  readonly action: string;
  readonly index?: string;
  /** The partitions that it names; none where it names none. */
  readonly partitions: readonly string[];
}

/** Who made it: a function, or rules and stores that a test called without one. */
export interface RecordedCall {
  readonly by: string | readonly string[];
  readonly call: ServiceCall;
}
