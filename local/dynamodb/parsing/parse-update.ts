import type { Assigned, Update } from './syntax.ts';
import type { Tokens } from './tokens.ts';

type Mutable = { -readonly [Clause in keyof Update]: Update[Clause][number][] };

export function parseUpdate(tokens: Tokens): Update {
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
