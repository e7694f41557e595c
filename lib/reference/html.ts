/** Text that is HTML already. `html` and `markCode` make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | undefined | readonly Part[];

/** Writes HTML and escapes every value that is not HTML already. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(String.raw({ raw: texts }, ...values.map(writePart)));
}

function writePart(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(writePart).join('') : escapeText(String(part));
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Writes the only Markdown that descriptions have: code between backticks. */
export function markCode(markdown: string): Html {
  return new Html(escapeText(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
}
