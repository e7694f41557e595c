import type { DescribedRouteName, routes } from '#functions/routes.ts';
import type { ParameterWords } from './parameters.ts';

/** What a schema cannot say of an operation. */
export interface OperationWords {
  /** The name of the operation, for those who make clients. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** How it can be refused, besides what follows from its path and from who may call. */
  readonly problems?: readonly string[];
  /** A body of the first answer, and of others of the same shape. An operation without a body has none. */
  readonly example?: unknown;
  /** The same as CSV, where it can be had so. */
  readonly exampleTable?: string;
  /** What is answered in another shape. */
  readonly otherAnswer?: { readonly words: string; readonly example: unknown };
  /** A body that is sent; of many rows, one. */
  readonly requestExample?: unknown;
  readonly requestTable?: string;
  /** Of parameters that mean another thing here than elsewhere. */
  readonly query?: Readonly<Record<string, ParameterWords>>;
}

/** Words for each operation of some routes: one that is missing does not compile. */
export type WordsOf<Names extends DescribedRouteName> = {
  readonly [Name in Names]: Readonly<
    Record<keyof (typeof routes)[Name]['paths'] & string, OperationWords>
  >;
};

export type TaggedWords = {
  readonly tag: string;
  readonly words: Partial<WordsOf<DescribedRouteName>>;
};
