import type { Comparator, Condition, Operand } from './syntax.ts';
import type { Tokens } from './tokens.ts';

const comparators: readonly Comparator[] = ['=', '<>', '<=', '>=', '<', '>'];
const tests = ['attribute_type', 'begins_with', 'contains'] as const;

export function parseCondition(tokens: Tokens): Condition {
  let condition = parseConjunction(tokens);
  while (tokens.takeIf('OR')) {
    condition = { kind: 'or', one: condition, other: parseConjunction(tokens) };
  }
  return condition;
}

function parseConjunction(tokens: Tokens): Condition {
  let condition = parseNegation(tokens);
  while (tokens.takeIf('AND')) {
    condition = { kind: 'and', one: condition, other: parseNegation(tokens) };
  }
  return condition;
}

function parseNegation(tokens: Tokens): Condition {
  if (tokens.takeIf('NOT')) return { kind: 'not', condition: parseNegation(tokens) };
  if (tokens.peek() === '(') return tokens.takeInBrackets(() => parseCondition(tokens));
  return tokens.peek(1) === '(' && tokens.peek() !== 'size'
    ? parseTest(tokens)
    : parseComparison(tokens);
}

function parseTest(tokens: Tokens): Condition {
  const name = tokens.take();
  return tokens.takeInBrackets(() => parseArguments(tokens, name));
}

function parseArguments(tokens: Tokens, name: string): Condition {
  if (name === 'attribute_exists' || name === 'attribute_not_exists') {
    return { kind: 'exists', path: tokens.takePath(), wanted: name === 'attribute_exists' };
  }
  const kind = tests.find((test) => test === name);
  if (!kind) throw tokens.refuseFor(`Invalid function name; function: ${name}`);
  const operand = parseOperand(tokens);
  tokens.expect(',');
  return { kind, operand, argument: parseOperand(tokens) };
}

function parseComparison(tokens: Tokens): Condition {
  const operand = parseOperand(tokens);
  if (tokens.takeIf('BETWEEN')) {
    const low = parseOperand(tokens);
    tokens.expect('AND');
    return { kind: 'between', operand, low, high: parseOperand(tokens) };
  }
  if (tokens.takeIf('IN')) {
    const choices = tokens.takeInBrackets(() => tokens.takeList(() => parseOperand(tokens)));
    return { kind: 'in', operand, choices };
  }
  const comparator = comparators.find((each) => each === tokens.peek());
  if (!comparator) throw tokens.refuse();
  tokens.take();
  return { kind: 'compare', comparator, one: operand, other: parseOperand(tokens) };
}

function parseOperand(tokens: Tokens): Operand {
  if (tokens.peek().startsWith(':')) return { kind: 'value', name: tokens.takeValue() };
  if (tokens.peek() === 'size' && tokens.peek(1) === '(') {
    tokens.take();
    return { kind: 'size', path: tokens.takeInBrackets(() => tokens.takePath()) };
  }
  return { kind: 'path', path: tokens.takePath() };
}
