import jsonc from 'jsonc-parser';

export interface JsonText {
  readonly value: unknown;
  /** Returns the line of the value at a path, or of the nearest value around it. */
  lineOf(path: Path): number;
  /** Fields that an object has twice. Parsers take the last one, so nobody would notice. */
  readonly repeated: readonly Path[];
}

/** Parses JSON with comments, or says where it fails: `line 3, column 7: a comma is missing`. */
export function parseJson(text: string): JsonText | { readonly mistakes: readonly string[] } {
  const errors: jsonc.ParseError[] = [];
  const root = jsonc.parseTree(text, errors);
  if (root === undefined || errors.length > 0) {
    const mistakes = dropEchoes(errors).map(({ error, offset }) => {
      const { line, column } = placeOf(text, offset);
      return `line ${line}, column ${column}: ${explain(error)}`;
    });
    return { mistakes: text.trim() === '' ? ['there is nothing in it'] : mistakes };
  }
  const value: unknown = jsonc.getNodeValue(root);
  return {
    value,
    lineOf: (path) => placeOf(text, findNode(root, path).offset).line,
    repeated: findRepeated(root),
  };
}

/** After an invalid word the parser also reports a missing value. Both are one mistake. */
function dropEchoes(errors: readonly jsonc.ParseError[]): jsonc.ParseError[] {
  const names = errors.map(({ error }) => jsonc.printParseErrorCode(error));
  return errors.filter(
    (_, at) => !(names[at] === 'ValueExpected' && names[at - 1] === 'InvalidSymbol'),
  );
}

function explain(error: jsonc.ParseErrorCode): string {
  const name = jsonc.printParseErrorCode(error);
  return explanations[name] ?? `this is not JSON (${name})`;
}

const explanations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not a value; text stands in double quotes',
  PropertyNameExpected: 'the name of a field is missing; is there a comma too many before it?',
  ValueExpected: 'a value is missing; is there a comma too many before it?',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'the file should end here',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a text is not closed',
};

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function findNode(root: jsonc.Node, path: Path): jsonc.Node {
  if (path.length === 0) return root;
  return jsonc.findNodeAtLocation(root, [...path]) ?? findNode(root, path.slice(0, -1));
}

function findRepeated(node: jsonc.Node): Path[] {
  const { type, children = [] } = node;
  const below = children.flatMap(findRepeated);
  if (type !== 'object') return below;
  const names = children.map(({ children: [name] = [] }) => String(name?.value));
  const again = names.filter((name, at) => names.indexOf(name) !== at);
  return [...again.map((name) => [...jsonc.getNodePath(node), name]), ...below];
}

/** Names of fields and places in lists, from the top of the file. */
export type Path = readonly (string | number)[];

/** One mistake in a catalog: its place, and the rest of the sentence after the field's name. */
export interface Problem {
  readonly path: Path;
  readonly text: string;
}

/** Describes a value briefly, and never quotes a whole object. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
