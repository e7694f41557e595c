import type { Answer } from '#lib/http/answers/answer.ts';
import type { ComponentSchemas, JsonSchema } from './component-schemas.ts';
import type { OperationWords } from './words/parameters.ts';

const followed = { description: 'The answer of the storage, for a client that follows the 307.' };

const statusWords: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  303: 'The file is at another address, which is valid for 15 minutes and needs no token.',
  307: 'Send the same request to the address in `Location`, which is valid for 15 minutes.',
};

/** Describes each status once, even if it comes both as JSON and as a table. */
export function describeAnswers(
  answers: readonly Answer[],
  schemas: ComponentSchemas,
  words: OperationWords,
): Record<string, JsonSchema> {
  const described: Record<string, JsonSchema> = {};
  for (const answer of answers) {
    const { content, ...rest } = describeAnswer(answer, schemas, {
      ...words,
      ...(isOther(answer, answers) && { example: words.otherAnswer?.example }),
    });
    const before = described[answer.status]?.content;
    described[answer.status] = {
      ...rest,
      ...(isOther(answer, answers) &&
        words.otherAnswer && { description: words.otherAnswer.words }),
      ...(content !== undefined && { content: Object.assign({}, before, content) }),
    };
  }
  return answers.every(({ status }) => status >= 300) ? { ...described, 200: followed } : described;
}

/** Tells whether the answer has JSON of another shape than the first one. */
function isOther({ body }: Answer, [first]: readonly Answer[]): boolean {
  return typeof body === 'object' && body !== first?.body;
}

function describeAnswer(
  { status, body }: Answer,
  schemas: ComponentSchemas,
  { example, exampleTable }: OperationWords,
): JsonSchema {
  const description = statusWords[status] ?? '';
  const headers =
    status === 200 ? {} : { headers: { Location: { $ref: '#/components/headers/Location' } } };
  if (body === 'nothing') return { description, ...headers };
  if (body === 'csv') return { description, content: { 'text/csv': withExample(exampleTable) } };
  if (body === 'lines') {
    return { description, content: { 'application/x-ndjson': withExample(exampleTable) } };
  }
  if (body === 'page') return { description, content: { 'text/html': withExample(example) } };
  if (body === 'bytes') {
    return { description, content: { 'application/octet-stream': withExample(example) } };
  }
  return {
    description,
    ...headers,
    content: {
      'application/json': { schema: schemas.refer(body), ...withExample(example) },
    },
  };
}

function withExample(example: unknown): JsonSchema {
  return example === undefined ? {} : { example };
}
