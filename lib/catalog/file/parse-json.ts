import jsonc from 'jsonc-parser';

export interface JsonText {
  readonly value: unknown;
  /** The line of what stands at a path, or of the nearest thing around it. */
  lineOf(path: Path): number;
  /** Fields that stand twice in an object: a reader takes the last one, and nobody notices. */
  readonly repeated: readonly Path[];
}

/** JSON with comments, or where it stops being that: `line 3, column 7: a comma is missing`. */
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

/** Behind a word that is no value the parser misses a value as well: that is one mistake. */
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

/** From the top of the file: names of fields, and places in lists. */
export type Path = readonly (string | number)[];

/** One mistake in a catalog: where it is, and what follows the name of the field in a sentence. */
export interface Problem {
  readonly path: Path;
  readonly text: string;
}

/** As a person would say it: short, and never a whole object. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
