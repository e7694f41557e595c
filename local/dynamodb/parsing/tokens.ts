import { invalid, type ServiceError } from '../values/errors.ts';
import { reservedWords } from './reserved-words.ts';
import type { ExpressionName, Path } from './syntax.ts';

const token = /\s*([#:][A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*|\d+|<>|<=|>=|[=<>(),.[\]+-])/y;

/** Splits an expression into tokens. */
export class Tokens {
  readonly expression: ExpressionName;
  /** Placeholders found so far. */
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  readonly #tokens: readonly string[];
  #next = 0;

  constructor(expression: ExpressionName, text: string) {
    this.expression = expression;
    this.#tokens = this.#split(text);
    if (this.#tokens.length === 0) {
      throw invalid(`Invalid ${expression}: The expression can not be empty;`);
    }
  }

  get isAtEnd(): boolean {
    return this.#next === this.#tokens.length;
  }

  peek(ahead = 0): string {
    return this.#tokens[this.#next + ahead] ?? '';
  }

  take(): string {
    const next = this.peek();
    this.#next += 1;
    return next;
  }

  /** Consumes the next token if it matches, ignoring its case. */
  takeIf(expected: string): boolean {
    const isThere = this.peek().toUpperCase() === expected;
    if (isThere) this.#next += 1;
    return isThere;
  }

  expect(expected: string): void {
    if (!this.takeIf(expected)) throw this.refuse();
  }

  /** Consumes a pair of brackets and what the task reads between them. */
  takeInBrackets<T>(task: () => T): T {
    this.expect('(');
    const taken = task();
    this.expect(')');
    return taken;
  }

  /** Consumes what the task reads, once or several times with commas in between. */
  takeList<T>(task: () => T): T[] {
    const taken = [task()];
    while (this.takeIf(',')) taken.push(task());
    return taken;
  }

  takeValue(): string {
    const name = this.peek();
    if (!name.startsWith(':')) throw this.refuse();
    this.values.add(name);
    return this.take();
  }

  takePath(): Path {
    const path: (string | number)[] = [this.#takeName()];
    for (;;) {
      if (this.takeIf('.')) {
        path.push(this.#takeName());
      } else if (this.takeIf('[')) {
        if (!/^\d+$/.test(this.peek())) throw this.refuse();
        path.push(Number(this.take()));
        this.expect(']');
      } else {
        return path;
      }
    }
  }

  refuse(): ServiceError {
    const shown = this.isAtEnd ? '<EOF>' : this.peek();
    const near = this.#tokens.slice(Math.max(this.#next - 1, 0), this.#next + 2).join(' ');
    return this.refuseFor(`Syntax error; token: "${shown}", near: "${near}"`);
  }

  refuseFor(reason: string): ServiceError {
    return invalid(`Invalid ${this.expression}: ${reason}`);
  }

  #takeName(): string {
    const name = this.peek();
    if (name.startsWith('#')) this.names.add(name);
    else if (!/^[A-Za-z_]/.test(name)) throw this.refuse();
    else if (reservedWords.has(name.toUpperCase())) {
      throw this.refuseFor(`Attribute name is a reserved keyword; reserved keyword: ${name}`);
    }
    return this.take();
  }

  #split(text: string): string[] {
    const found: string[] = [];
    token.lastIndex = 0;
    while (/\S/.test(text.slice(token.lastIndex))) {
      const from = token.lastIndex;
      const [, each] = token.exec(text) ?? [];
      if (each === undefined) {
        const [wrong = ''] = /\S/.exec(text.slice(from)) ?? [];
        throw this.refuseFor(
          `Syntax error; token: "${wrong}", near: "${text.slice(from).trim().slice(0, 20)}"`,
        );
      }
      found.push(each);
    }
    return found;
  }
}
