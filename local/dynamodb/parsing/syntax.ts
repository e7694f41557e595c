/** Attribute names and list indexes. A name that starts with # is a placeholder. */
export type Path = readonly (string | number)[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  /** The name starts with a colon. */
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'size'; readonly path: Path };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly one: Condition; readonly other: Condition }
  | { readonly kind: 'not'; readonly condition: Condition }
  | {
      readonly kind: 'compare';
      readonly comparator: Comparator;
      readonly one: Operand;
      readonly other: Operand;
    }
  | {
      readonly kind: 'between';
      readonly operand: Operand;
      readonly low: Operand;
      readonly high: Operand;
    }
  | { readonly kind: 'in'; readonly operand: Operand; readonly choices: readonly Operand[] }
  | { readonly kind: 'exists'; readonly path: Path; readonly wanted: boolean }
  | {
      readonly kind: 'attribute_type' | 'begins_with' | 'contains';
      readonly operand: Operand;
      readonly argument: Operand;
    };

/** The value that SET assigns. */
export type Assigned =
  | Operand
  | { readonly kind: 'if_not_exists'; readonly path: Path; readonly otherwise: Assigned }
  | { readonly kind: 'list_append'; readonly one: Assigned; readonly other: Assigned }
  | { readonly kind: 'plus' | 'minus'; readonly one: Assigned; readonly other: Assigned };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: Assigned }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly value: string }[];
  readonly delete: readonly { readonly path: Path; readonly value: string }[];
}

/** Parameter names, as they appear in error messages. */
export type ExpressionName =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';
