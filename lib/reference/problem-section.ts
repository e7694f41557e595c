import { type Html, html, markCode } from './html.ts';

export interface ProblemRow {
  readonly name: string;
  readonly status: string;
  readonly when: string;
  readonly remedy: string;
}

/**
 * Reads the table of docs/problems.md, the one place that says when a problem comes and what to do.
 */
export function readProblems(page: string): readonly ProblemRow[] {
  const rows = page.matchAll(/^\| `([a-z-]+)` \| (\d+) \| (.+) \| (.+) \|$/gm);
  return [...rows].map(([, name = '', status = '', when = '', remedy = '']) => ({
    name,
    status,
    when: dropLinks(when),
    remedy: dropLinks(remedy),
  }));
}

/** Links of that page do not work elsewhere, so only their text stays. */
function dropLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

/**
 * Writes the table as a part of the reference, with an anchor for each problem:
 * `/docs/#problem-busy`.
 */
export function writeProblemSection(rows: readonly ProblemRow[]): Html {
  const lines = rows.map(
    ({ name, status, when, remedy }) =>
      html`<tr id="problem-${name}"><th scope="row"><code>${name}</code></th><td>${status}</td><td>${markCode(when)}</td><td>${markCode(remedy)}</td></tr>
`,
  );
  return html`<section id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">Problems</h2>
<p>The <code>type</code> of a problem is <code>urn:slipway:problem:</code> and one of these names.</p>
<table><thead><tr><th scope="col">Name</th><th scope="col">Status</th><th scope="col">When</th><th scope="col">What to do</th></tr></thead><tbody>
${lines}</tbody></table></section>`;
}
