import type { Description } from './description.ts';
import { type Html, html, markCode } from './html.ts';
import { listOperations } from './operation.ts';
import { type ProblemRow, writeProblemSection } from './problem-section.ts';
import { type Entry, writeObject, writeOperation } from './write-operation.ts';

export interface Page {
  readonly body: Html;
  /** What is in each folded part, by its id. */
  readonly contents: Readonly<Record<string, string>>;
}

/** Throws if an operation names an object or a problem that nothing describes. */
export function writePage(description: Description, problems: readonly ProblemRow[]): Page {
  const { info, tags, components } = description;
  const operations = listOperations(description);
  const sections: Section[] = [
    ...tags.map(({ name, description: words }) => ({
      name,
      words,
      entries: operations
        .filter(({ tag }) => tag === name)
        .map((each) => writeOperation(description, each)),
    })),
    {
      name: 'Objects',
      words: 'What several operations answer with or take.',
      entries: Object.entries(components.schemas).map(([name, schema]) =>
        writeObject(name, schema),
      ),
    },
  ];
  const links = [...sections.map(({ name }) => ({ name, id: idOf(name) })), lastLink].map(
    ({ name, id }) => html`<li><a href="#${id}">${name}</a></li>`,
  );
  const body = html`<nav aria-label="Sections"><ul>${links}</ul></nav>
<main id="main" tabindex="-1">
<h1>${info.title} API <small>${info.version}</small></h1>
<p>${markCode(info.description)} The same description for programs is at <a href="/openapi.json">/openapi.json</a>.</p>
${sections.map(writeSection)}${writeProblemSection(problems)}
</main>`;
  const entries = sections.flatMap((section) => section.entries);
  const contents = Object.fromEntries(entries.map(({ id, content }) => [id, content.text]));
  refuseDeadLinks([body.text, ...Object.values(contents)]);
  return { body, contents };
}

const lastLink = { name: 'Problems', id: 'problems' };

interface Section {
  readonly name: string;
  readonly words: string;
  readonly entries: readonly Entry[];
}

function writeSection({ name, words, entries }: Section): Html {
  const id = idOf(name);
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${name}</h2>
<p>${words}</p>
${entries.map(({ folded }) => folded)}</section>
`;
}

function idOf(tag: string): string {
  return `section-${tag.toLowerCase()}`;
}

/** Objects and problems are linked by their names, so a name that nothing explains is found here. */
function refuseDeadLinks(texts: readonly string[]): void {
  const list = (pattern: RegExp) =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, id = '']) => id));
  const known = new Set(list(/\sid="([^"]+)"/g));
  const dead = list(/href="#([^"]+)"/g).find((id) => !known.has(id));
  if (dead === undefined) return;
  throw new Error(`docs/openapi.json or docs/problems.md: nothing describes ${dead}.`);
}
