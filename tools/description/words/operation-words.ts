import type { RouteName, routes } from '#functions/routes.ts';
import type { ParameterWords } from './parameters.ts';

/** What a schema cannot say of an operation. */
export interface OperationWords {
  /** The name of the operation, for those who make clients. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** How it can be refused, besides what follows from its path and from who may call. */
  readonly problems?: readonly string[];
  /** An answer of the usual kind. */
  readonly example?: unknown;
  readonly requestExample?: unknown;
  /** Of parameters that mean another thing here than elsewhere. */
  readonly query?: Readonly<Record<string, ParameterWords>>;
}

/** Words for each operation of some routes: one that is missing does not compile. */
export type WordsOf<Names extends RouteName> = {
  readonly [Name in Names]: Readonly<
    Record<keyof (typeof routes)[Name]['paths'] & string, OperationWords>
  >;
};

export type TaggedWords = { readonly tag: string; readonly words: Partial<WordsOf<RouteName>> };
