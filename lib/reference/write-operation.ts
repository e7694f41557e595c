import {
  type Answer,
  type Content,
  type Description,
  follow,
  type Parameter,
  type Schema,
} from './description.ts';
import { type Html, html, markCode } from './html.ts';
import type { Operation } from './operation.ts';
import { type Example, listExamples } from './write-examples.ts';
import { describeType, writeFields } from './write-schema.ts';

/** A part of the page that is folded. The script fills it in when somebody opens it. */
export interface Entry {
  readonly id: string;
  readonly folded: Html;
  readonly content: Html;
}

export function writeOperation(description: Description, operation: Operation): Entry {
  const { name, method, path, longest, forms } = operation;
  const others = forms.filter(({ id }) => id !== name).map(({ id }) => html`<a id="${id}"></a>`);
  const mark = canBeTried(operation) ? html` data-try` : undefined;
  return {
    id: name,
    folded: html`<details id="${name}" data-path="${path}"${mark}><summary><h3><b class="${method}">${method}</b> <code>${path}</code></h3> <span>${longest.summary}</span></summary>${others}</details>
`,
    content: html`<p>${longest.description && html`${markCode(longest.description)} `}<a href="#${name}">Link to ${name}</a></p>
${listPaths(operation)}${writeParameters(operation.parameters)}${writeHeaderFields(description, operation)}${writeBody(longest.requestBody?.content)}<h4>Answers</h4>
${writeAnswers(description, longest.responses)}${writeProblems(operation.problems)}<h4>Examples</h4>
${listExamples(operation).map(writeExample)}`,
  };
}

/** Reading with one's own token changes nothing. A file may be large, and its address another host. */
function canBeTried({ method, name, longest }: Operation): boolean {
  const answer = longest.responses['200'];
  const isJson = answer && 'content' in answer && 'application/json' in (answer.content ?? {});
  return method === 'GET' && isJson === true && (!longest.security || name === 'readStatus');
}

function listPaths({ forms, method }: Operation): Html | undefined {
  if (forms.length < 2) return undefined;
  return html`<ul>${forms.map(({ path }) => html`<li><code>${method} ${path}</code></li>`)}</ul>`;
}

const places = { path: 'in the path', query: 'query', header: 'header' } as const;

function writeParameters(parameters: readonly Parameter[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    ({ name, in: place, required, schema, description, example }) =>
      html`<tr data-in="${place}" data-name="${name}"${place === 'path' && !required ? html` data-optional="true"` : ''}${typeof example === 'string' ? html` data-example="${example}"` : ''}><th scope="row"><code>${name}</code> <small>${places[place]}${required ? ', required' : ''}</small></th><td>${markCode(description)} <small>${describeType(schema)}</small></td></tr>`,
  );
  return html`<table><caption>Parameters and headers</caption><tbody>${rows}</tbody></table>`;
}

/** A header such as `Payload` holds an object, whose fields are what people look for. */
function writeHeaderFields(description: Description, { parameters }: Operation): Html[] {
  return parameters.flatMap(({ name, schema: { contentSchema } }) => {
    if (contentSchema?.$ref === undefined) return [];
    const schema = follow(description.components.schemas, contentSchema.$ref);
    return [writeFields(schema, `Fields of ${name}`)];
  });
}

function writeBody(content: Content = {}): Html[] {
  return Object.entries(content).map(([type, { schema, example, 'x-itemSchema': each }]) => {
    const title = each ? `Body: ${type}, an object on each line` : `Body: ${type}`;
    return html`${writeFields(each ?? schema, title)}${writeValue(example)}`;
  });
}

function writeAnswers(
  description: Description,
  responses: Readonly<Record<string, Answer | { $ref: string }>>,
): Html {
  const rows = Object.entries(responses).flatMap(([status, answer]) => {
    if ('$ref' in answer) return [];
    const { description: words, headers = {}, content = {} } = answer;
    const types = Object.entries(content).map(
      ([type, { schema, example }]) =>
        html`<p>${type}: ${describeType(schema)}</p>${writeValue(example)}`,
    );
    const named = Object.entries(headers).map(([name, { $ref }]) => {
      const header = follow(description.components.headers, $ref);
      return html`<p><code>${name}</code>: ${markCode(header.description)}</p>`;
    });
    return [html`<dt>${status}</dt><dd>${markCode(words)}${named}${types}</dd>`];
  });
  return html`<dl>${rows}</dl>`;
}

function writeProblems(names: readonly string[]): Html {
  const links = names.map((name) => html`<li><a href="#problem-${name}">${name}</a></li>`);
  return html`<h4>Problems</h4><ul class="names">${links}</ul>`;
}

function writeValue(value: unknown): Html | undefined {
  if (value === undefined) return undefined;
  return html`<pre tabindex="0">${typeof value === 'string' ? value : writeJson(value)}</pre>`;
}

/** Objects inside of objects stay on one line where they fit, as people write them. */
function writeJson(value: unknown, before = ''): string {
  const line = JSON.stringify(value);
  if (line.length <= 72 || typeof value !== 'object' || value === null) return line;
  const inner = `${before}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([name, each]) =>
      `${inner}${isList ? '' : `${JSON.stringify(name)}: `}${writeJson(each, inner)}`,
  );
  return `${isList ? '[' : '{'}\n${parts.join(',\n')}\n${before}${isList ? ']' : '}'}`;
}

function writeExample({ title, code }: Example): Html {
  return html`<p>${title}</p><pre tabindex="0">${code}</pre>`;
}

/** Writes an object that several operations share. */
export function writeObject(name: string, schema: Schema): Entry {
  const id = `object-${name}`;
  return {
    id,
    folded: html`<details id="${id}"><summary><h3>${name}</h3></summary></details>
`,
    content: writeFields(schema, `Fields of ${name}`),
  };
}
