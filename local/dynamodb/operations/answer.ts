/** JSON that is sent unchanged, so that stored items need not be parsed and serialized again. */
export class Json {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Answer = Readonly<Record<string, unknown>>;

export function renderAnswer(value: unknown): string {
  if (value instanceof Json) return value.text;
  if (Array.isArray(value)) return `[${value.map(renderAnswer).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${renderAnswer(member)}`).join(',')}}`;
}
