import type { DescribedRouteName, routes } from '#functions/routes.ts';
import type { ParameterWords } from './parameters.ts';

/** Describes an operation beyond its schemas. */
export interface OperationWords {
  /** Becomes the `operationId`, and the method of generated clients. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Lists problems beyond those that follow from the path and the access. */
  readonly problems?: readonly string[];
  /** Body of the first answer, and of others of the same shape. */
  readonly example?: unknown;
  /** The same body as CSV. */
  readonly exampleTable?: string;
  /** An answer of another shape. */
  readonly otherAnswer?: { readonly words: string; readonly example: unknown };
  /** Request body; if it has many rows, one of them. */
  readonly requestExample?: unknown;
  readonly requestTable?: string;
  /** Overrides the usual words of parameters. */
  readonly query?: Readonly<Record<string, ParameterWords>>;
}

/** Requires words for each operation of some routes; a missing one does not compile. */
export type WordsOf<Names extends DescribedRouteName> = {
  readonly [Name in Names]: Readonly<
    Record<keyof (typeof routes)[Name]['paths'] & string, OperationWords>
  >;
};

export type TaggedWords = {
  readonly tag: string;
  readonly words: Partial<WordsOf<DescribedRouteName>>;
};
