import dynalite from 'dynalite/db/index.js';

// Three comparisons that dynalite's evaluator gets wrong (both engines side by side showed it). They
// are closed by rewriting what its parser made of an expression, before the evaluator sees it.

/** Of dynalite's parse tree: a path is an array, a literal is an attribute value. */
type Operand = (string | number)[] | { type?: never; M?: unknown; L?: unknown } | FunctionCall;
interface FunctionCall {
  type: 'function';
  name: string;
  args: Operand[];
}
interface Comparison {
  type: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'in' | 'between';
  args: [Operand, ...Operand[]];
}
type Expression = { type: 'and' | 'or' | 'not'; args: Expression[] } | FunctionCall | Comparison;

/** What dynalite's validation leaves in a request that has expressions. */
export interface ParsedExpressions {
  _condition?: { expression: Expression };
  _filter?: { expression: Expression };
}

export function closeConditionGaps({ _condition, _filter }: ParsedExpressions): void {
  if (_condition) _condition.expression = closeGaps(_condition.expression);
  if (_filter) _filter.expression = closeGaps(_filter.expression);
}

function closeGaps(expression: Expression): Expression {
  switch (expression.type) {
    case 'and':
    case 'or':
    case 'not':
      return { type: expression.type, args: expression.args.map(closeGaps) };
    case 'in':
      return spellOutIn(expression);
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      refuseDocuments(expression);
      return guardAbsence(expression);
    case '<>':
      refuseDocuments(expression);
      return expression;
    default:
      return expression;
  }
}

// `x IN (:no)` with the value false, or with an empty text: dynalite takes x for absent.
function spellOutIn({ args: [value, ...choices] }: Comparison): Expression {
  return choices
    .map((choice): Expression => closeGaps({ type: '=', args: [value, choice] }))
    .reduce((one, other) => ({ type: 'or', args: [one, other] }));
}

// `a <= b` with neither there: dynalite takes two absent attributes for equal.
function guardAbsence(comparison: Comparison): Expression {
  const path = comparison.args.find((operand) => Array.isArray(operand));
  if (!path) return comparison;
  const exists: Expression = { type: 'function', name: 'attribute_exists', args: [path] };
  return { type: 'and', args: [exists, comparison] };
}

// dynalite compares lists and maps by identity, which never holds. Better no answer than a wrong
// one. What remains: two attributes that both hold a list or a map never compare as equal.
function refuseDocuments({ type, args }: Comparison): void {
  const isDocument = (operand: Operand) =>
    !Array.isArray(operand) && operand.type === undefined && (operand.M ?? operand.L) !== undefined;
  if (!args.some(isDocument)) return;
  throw dynalite.validationError(
    `The embedded DynamoDB cannot compare a list or a map as a whole (${type}).`,
  );
}
