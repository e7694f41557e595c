import { parseAst } from 'vitest/node';
import type { SourceFile } from '../architecture/source-files.ts';

interface Found {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** A node of the syntax tree, of which only some members matter here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [member: string]: unknown;
}

interface Place {
  readonly parent: Node | undefined;
  /** The member of the parent that holds the node. */
  readonly member: string;
  readonly isInFunction: boolean;
}

/** Lists what looks like a text for people and does not come from a catalogue. */
export function findTexts({ path, text: source }: SourceFile): Found[] {
  const found: Found[] = [];
  walk(parse({ path, text: source }), (node, place) => {
    const text = readText(node, place);
    if (text === undefined || !isForPeople(text, node, place)) return;
    found.push({ path, line: lineOf(source, node), text: text.trim() });
  });
  return found;
}

/** Lists messages that are written while a module loads, before the language is known. */
export function findEarlyMessages({ path, text: source }: SourceFile): Found[] {
  const found: Found[] = [];
  walk(parse({ path, text: source }), (node, { isInFunction }) => {
    if (isInFunction || !isMessage(node)) return;
    found.push({
      path,
      line: lineOf(source, node),
      text: source.slice(node.start, node.start + 60),
    });
  });
  return found;
}

function parse({ path, text }: SourceFile): Node {
  const program: unknown = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  if (!isNode(program)) throw new Error(`${path} cannot be parsed`);
  return program;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Types, imports and the arguments of a catalogue hold no texts. */
const leftOut = /^(Import|ExportAll|TS(?!As|Satisfies|NonNull))/;

function walk(
  node: Node,
  visit: (node: Node, place: Place) => void,
  place: Place = { parent: undefined, member: '', isInFunction: false },
): void {
  if (leftOut.test(node.type) || isNameForBrowsers(node)) return;
  visit(node, place);
  const isInFunction = place.isInFunction || /Function|MethodDefinition/.test(node.type);
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, { parent: node, member, isInFunction });
    }
  }
}

/** Classes and the like are never read, also if they are composed. */
function isNameForBrowsers(node: Node): boolean {
  return node.type === 'JSXAttribute' && /^(class|href|id|key)$/.test(nameOf(node, 'name'));
}

function lineOf(source: string, { start }: Node): number {
  return source.slice(0, start).split('\n').length;
}

/** Returns the words of a literal. A diamond stands for each expression inside. */
function readText(node: Node, { parent }: Place): string | undefined {
  if (node.type === 'JSXText' || node.type === 'Literal') {
    return typeof node.value === 'string' ? node.value : undefined;
  }
  if (node.type !== 'TemplateLiteral' || parent?.type === 'TaggedTemplateExpression') {
    return undefined;
  }
  const quasis: readonly { value: { cooked: string } }[] = Object(node.quasis);
  return quasis.map(({ value }) => value.cooked).join('◇');
}

/** Attributes and properties that people read, whatever they hold. */
const read =
  /^(title|placeholder|aria-label|alt|label|hint|head|heading|summary|empty|none|name of)$/;
/** Attributes that browsers read. */
const forBrowsers =
  /^(class|className|type|href|hreflang|lang|id|for|htmlFor|role|key|name|rel|target|d|viewBox|fill|stroke.*|style|autocomplete|inputmode|enterkeyhint|data-.*|aria-(?!label$).*|method|loading|sandbox|scope|pattern|list|form|points|transform|preserveAspectRatio|text-anchor|accept)$/;

function isForPeople(text: string, node: Node, { parent, member }: Place): boolean {
  if (!/\p{L}{2}/u.test(text) || isCode(node, parent, member)) return false;
  if (node.type === 'JSXText') return true;
  const name = nameOf(parent, parent?.type === 'JSXAttribute' ? 'name' : 'key');
  if (parent?.type === 'JSXAttribute' && forBrowsers.test(name)) return false;
  return read.test(name)
    ? !/^[a-z]+$/.test(text) || parent?.type === 'JSXAttribute'
    : isProse(text);
}

/** Two words beside each other, a word beside an expression, or a word with a capital letter. */
function isProse(text: string): boolean {
  return (
    /[A-Za-z]{2,}[,.:;?)’']* +[A-Za-z(0-9◇<"'-]/.test(text) ||
    /^\s*[("']?[A-Z][a-z’]+( |\.|$)/.test(text) ||
    /◇[:,]? +[a-z(]/.test(text) ||
    /[a-z:]{2,} +◇/.test(text)
  );
}

function isCode(node: Node, parent: Node | undefined, member: string): boolean {
  if (!parent) return false;
  if (member === 'key' || member === 'property' || parent.type === 'SwitchCase') return true;
  if (parent.type === 'BinaryExpression') return /^[!=]==?$|^in$/.test(String(parent.operator));
  const given: readonly unknown[] = Object(parent.arguments);
  return isMessage(parent) ? given.includes(node) : namesData(parent) && given[0] === node;
}

function isMessage(node: Node): boolean {
  return calls(node, /^(phrase|rich|term|writeCount|column|rightColumn)$/);
}

/** Pages name the data that they load, and ask browsers for their width. */
function namesData(node: Node): boolean {
  return calls(node, /^(useLive|usePages|useJob|matchMedia)$/);
}

function calls(node: Node, functions: RegExp): boolean {
  return node.type === 'CallExpression' && functions.test(nameOf(node, 'callee'));
}

function nameOf(node: Node | undefined, member: 'name' | 'key' | 'callee'): string {
  const held = node?.[member];
  return isNode(held) ? String(held.name) : '';
}
