/** Something the service has named in an answer: its id and where it is. */
export type Thing = Readonly<Record<string, string>>;

/** So many of each kind are remembered. Older ones give way, so that a long run does not grow. */
const kept = 200;

/** Remembers what the service has answered with, so that later requests can be about real things. */
export class Learned {
  readonly #things = new Map<string, Thing[]>();
  #added = 0;

  add(kind: string, thing: Thing): void {
    const things = this.#things.get(kind) ?? [];
    this.#things.set(kind, things);
    if (things.length < kept) things.push(thing);
    else things[this.#added % kept] = thing;
    this.#added += 1;
  }

  /** Learns from the body and the headers of an answer that was not a refusal. */
  read(caller: string, body: unknown, link: string | undefined): void {
    for (const each of [body].flat().slice(0, 20)) this.#readThing(Object(each));
    const next = /<([^>]+)>/.exec(link ?? '')?.[1];
    if (next === undefined) return;
    const { pathname, search, searchParams } = new URL(next);
    this.add('link', { path: `${pathname}${search}`, caller });
    this.add('cursor', { id: searchParams.get('cursor') ?? '' });
  }

  #readThing(found: Readonly<Record<string, unknown>>): void {
    const text = (name: string) => String(found[name] ?? '');
    const place = { hpc: text('project_hpc').toLowerCase(), project: text('project_name') };
    if (typeof found.job_id === 'string' && typeof found.owner === 'string') {
      this.add('job', { ...place, id: found.job_id, owner: found.owner });
    }
    if (typeof found.batch_id === 'string') this.add('batch', { ...place, id: found.batch_id });
    if (typeof found.request_id === 'string') this.add('request', { id: found.request_id });
    if (typeof found.webhook_id === 'string') this.add('webhook', { id: found.webhook_id });
    if (typeof found.upload_id === 'string') {
      this.add('upload', { id: found.upload_id });
      this.add('address', { path: text('address') });
    }
  }

  /** Fills the names of things in: `«job:3:id»` is the id of the third job, around the clock. */
  fill(text: string): string {
    return text.replaceAll(
      /«(\w+):(\d+):(\w+?)(?::changed(\d+))?»/g,
      (_, kind: string, nth: string, part: string, where?: string) => {
        const things = this.#things.get(kind) ?? [];
        const value = things[Number(nth) % Math.max(1, things.length)]?.[part] ?? `no-${kind}`;
        return where === undefined ? value : changeAt(value, Number(where));
      },
    );
  }
}

/** Changes one character somewhere, which no signature survives. The host stays. */
function changeAt(text: string, percent: number): string {
  const host = /^https?:\/\/[^/]*\/|^\//.exec(text)?.[0].length ?? 0;
  const at = Math.min(text.length - 1, host + Math.floor(((text.length - host) * percent) / 100));
  const other = text[at] === 'A' ? 'B' : 'A';
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
}
