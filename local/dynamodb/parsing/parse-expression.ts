import type {
  Assigned,
  Comparator,
  Condition,
  ExpressionName,
  Operand,
  Path,
  Update,
} from './syntax.ts';
import { Tokens } from './tokens.ts';

export interface Parsed<Tree> {
  readonly expression: ExpressionName;
  readonly tree: Tree;
  /** Placeholders in the expression. */
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

/** Limits the cache. Programs repeat a small number of expressions. */
const maxRemembered = 1000;

function rememberParsed<Tree>(parseTree: (tokens: Tokens) => Tree) {
  const remembered = new Map<string, Parsed<Tree>>();
  return (
    expression: ExpressionName,
    text: string | null | undefined,
  ): Parsed<Tree> | undefined => {
    if (text == null) return undefined;
    const key = `${expression} ${text}`;
    const known = remembered.get(key);
    if (known) return known;
    const tokens = new Tokens(expression, text);
    const tree = parseTree(tokens);
    if (!tokens.isAtEnd) throw tokens.refuse();
    const parsed = { expression, tree, names: tokens.names, values: tokens.values };
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, parsed);
    return parsed;
  };
}

export const parseConditionText = rememberParsed<Condition>(parseCondition);
export const parseUpdateText = rememberParsed<Update>(parseUpdate);
export const parseProjectionText = rememberParsed<readonly Path[]>((tokens) =>
  tokens.takeList(() => tokens.takePath()),
);

const comparators: readonly Comparator[] = ['=', '<>', '<=', '>=', '<', '>'];
const tests = ['attribute_type', 'begins_with', 'contains'] as const;

function parseCondition(tokens: Tokens): Condition {
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

type Mutable = { -readonly [Clause in keyof Update]: Update[Clause][number][] };

function parseUpdate(tokens: Tokens): Update {
  const update: Mutable = { set: [], remove: [], add: [], delete: [] };
  const readers: Record<string, () => void> = {
    SET: () => update.set.push(parseAssignment(tokens)),
    REMOVE: () => update.remove.push(tokens.takePath()),
    ADD: () => update.add.push({ path: tokens.takePath(), value: tokens.takeValue() }),
    DELETE: () => update.delete.push({ path: tokens.takePath(), value: tokens.takeValue() }),
  };
  const seen = new Set<string>();
  while (!tokens.isAtEnd) {
    const clause = tokens.peek().toUpperCase();
    const read = readers[clause];
    if (!read) throw tokens.refuse();
    if (seen.has(clause)) {
      throw tokens.refuseFor(
        `The "${clause}" section can only be used once in an update expression;`,
      );
    }
    seen.add(clause);
    tokens.take();
    tokens.takeList(read);
  }
  return update;
}

function parseAssignment(tokens: Tokens): Update['set'][number] {
  const path = tokens.takePath();
  tokens.expect('=');
  const one = parseAssigned(tokens);
  if (tokens.takeIf('+')) return { path, to: { kind: 'plus', one, other: parseAssigned(tokens) } };
  if (tokens.takeIf('-')) return { path, to: { kind: 'minus', one, other: parseAssigned(tokens) } };
  return { path, to: one };
}

function parseAssigned(tokens: Tokens): Assigned {
  if (tokens.peek().startsWith(':')) return { kind: 'value', name: tokens.takeValue() };
  if (tokens.peek(1) !== '(') return { kind: 'path', path: tokens.takePath() };
  const name = tokens.take();
  return tokens.takeInBrackets(() => parseFunction(tokens, name));
}

function parseFunction(tokens: Tokens, name: string): Assigned {
  if (name === 'if_not_exists') {
    const path = tokens.takePath();
    tokens.expect(',');
    return { kind: 'if_not_exists', path, otherwise: parseAssigned(tokens) };
  }
  if (name === 'list_append') {
    const one = parseAssigned(tokens);
    tokens.expect(',');
    return { kind: 'list_append', one, other: parseAssigned(tokens) };
  }
  throw tokens.refuseFor(`Invalid function name; function: ${name}`);
}
