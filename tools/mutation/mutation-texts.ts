import * as v from 'valibot';

/**
 * Keeps Stryker from mutating texts that people read, because a test that repeats a message only
 * shows that there are two copies of it. A text contains a space, and is either a whole sentence or
 * an error message. Expressions, keys, kinds and stages are still mutated.
 */
export const strykerPlugins = [{ kind: 'Ignore', name: 'texts', value: { shouldIgnore } }];

/** Placeholders of a template appear as an ellipsis. */
const sentence = /^[\p{Uppercase}\p{Number}'"…].* .*\.$/su;

function shouldIgnore(path: unknown): string | undefined {
  const found = v.safeParse(v.object({ node: Literal, parent: v.looseObject({}) }), path);
  if (!found.success) return undefined;
  const text = found.output.node;
  const isMessage = text.includes(' ') && v.is(PlaceOfMessage, found.output.parent);
  return isMessage || sentence.test(text) ? 'A text that people read' : undefined;
}

/** Allows only names as placeholders, so that templates with other code in them are mutated. */
const Name = v.union([
  v.object({ type: v.literal('Identifier') }),
  v.object({ type: v.literal('MemberExpression'), computed: v.literal(false) }),
]);

const Literal = v.union([
  v.pipe(
    v.object({ type: v.literal('StringLiteral'), value: v.string() }),
    v.transform(({ value }) => value),
  ),
  v.pipe(
    v.object({
      type: v.literal('TemplateLiteral'),
      quasis: v.array(v.object({ value: v.object({ raw: v.string() }) })),
      expressions: v.array(Name),
    }),
    v.transform(({ quasis }) => quasis.map(({ value }) => value.raw).join('…')),
  ),
]);

const PlaceOfMessage = v.union([
  v.object({ type: v.literal('CallExpression'), callee: v.object({ type: v.literal('Super') }) }),
  v.object({
    type: v.literal('NewExpression'),
    callee: v.object({ name: v.pipe(v.string(), v.endsWith('Error')) }),
  }),
  v.object({ type: v.literal('ObjectProperty'), key: v.object({ name: v.literal('message') }) }),
  v.object({ type: v.literal('VariableDeclarator'), id: v.object({ name: v.literal('message') }) }),
]);
