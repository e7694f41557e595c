import { parseCondition } from './parse-condition.ts';
import { parseUpdate } from './parse-update.ts';
import type { Condition, ExpressionName, Path, Update } from './syntax.ts';
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
