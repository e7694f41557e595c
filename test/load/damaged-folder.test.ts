import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readLog } from '#local/dynamodb/seal/read-log.ts';
import { type Edition, end, type Home, openHome, projectRoot } from '../fixtures/edition.ts';
import { type JobBody, submitTo } from '../fixtures/service.ts';

/**
 * Damages copies of a data folder in every way that we could think of, and starts the laptop edition
 * on each. Never may it accept a job while something is missing without having said so. The table in
 * docs/restore.md is what this test finds: DAMAGE_TABLE=write writes it.
 */
const pageBytes = 4096;

/** Where the copy comes from: an edition that was stopped, or killed; or one that runs on the copy. */
type State = 'stopped' | 'killed' | 'running';

type Outcome = 'refused' | '503' | 'nothing lost' | 'not noticed';

interface Variant {
  readonly state: State;
  readonly name: string;
  readonly outcome: Outcome;
  damage(data: string): void;
}

let root: string;
/** The jobs that were answered with 201 before each copy was made. */
const accepted: Record<'stopped' | 'killed' | 'earlier', string[]> = {
  stopped: [],
  killed: [],
  earlier: [],
};

const main = (data: string) => join(data, 'dynamodb/table.sqlite');
const log = (data: string) => join(data, 'dynamodb/table.sqlite-wal');
const seal = (data: string) => join(data, 'dynamodb/table.seal');

function change(file: string, place: number, length = 40): void {
  const bytes = readFileSync(file);
  for (let at = place; at < place + length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0x55;
  writeFileSync(file, bytes);
}

function zeroPage(data: string, page: number): void {
  const bytes = readFileSync(main(data));
  bytes.fill(0, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(main(data), bytes);
}

/** With the file as it is, and without the log. */
function ask(data: string, sql: string): unknown {
  const database = new DatabaseSync(new URL(`file://${main(data)}?immutable=1`), {
    readOnly: true,
  });
  try {
    return Object.values(database.prepare(sql).get() ?? {})[0];
  } finally {
    database.close();
  }
}

const rootOf = (data: string, table: string) =>
  Number(ask(data, `SELECT rootpage FROM sqlite_schema WHERE name = '${table}'`));

const textPlace = (data: string) => readFileSync(main(data)).lastIndexOf('"a job title"') - 100;

/** A page of the main file that the log does not hold. */
function untouchedPage(data: string): number {
  const inLog = new Set(readLog(log(data))?.frames.map(({ page }) => page));
  const pages = statSync(main(data)).size / pageBytes;
  for (let page = pages; page > 1; page -= 1) if (!inLog.has(page)) return page;
  throw new Error('The log holds every page.');
}

const halve = (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2));

const variants: readonly Variant[] = [
  ...variantsOf('stopped', 'refused', {
    '`table.sqlite` is cut to half': (data) => halve(main(data)),
    '`table.sqlite` lacks its last byte': (data) =>
      truncateSync(main(data), statSync(main(data)).size - 1),
    '`table.sqlite` is empty': (data) => writeFileSync(main(data), ''),
    '`table.sqlite` is missing': (data) => rmSync(main(data)),
    '`table.sqlite` is a text': (data) => writeFileSync(main(data), 'Dear reader,\n'.repeat(1000)),
    '`table.sqlite` is a folder': (data) => {
      rmSync(main(data));
      mkdirSync(main(data));
    },
    '`table.sqlite` is that of another folder': (data) =>
      cpSync(main(join(root, 'another')), main(data)),
    '`table.sqlite` alone is put back from an earlier copy': (data) =>
      cpSync(main(join(root, 'earlier')), main(data)),
    'the first page is zeroed': (data) => zeroPage(data, 1),
    'the root of an index is zeroed': (data) => zeroPage(data, rootOf(data, 'index_1_1')),
    'the last page is zeroed': (data) => zeroPage(data, statSync(main(data)).size / pageBytes),
    '40 bytes of the first page differ': (data) => change(main(data), 40),
    '40 bytes of an index differ': (data) =>
      change(main(data), rootOf(data, 'items_1_by_key') * pageBytes - 200),
    '40 bytes in the text of a job differ': (data) => change(main(data), textPlace(data)),
    'one bit in the text of a job differs': (data) => change(main(data), textPlace(data), 1),
    'a table was dropped with another program': (data) => {
      const database = new DatabaseSync(main(data));
      database.exec('DROP TABLE index_1_1');
      database.close();
    },
    'a table was dropped, and `table.seal` is missing': (data) => {
      const database = new DatabaseSync(main(data));
      database.exec('DROP TABLE index_1_1');
      database.close();
      rmSync(seal(data));
    },
    'the log of another folder lies beside it': (data) =>
      cpSync(log(join(root, 'another')), log(data)),
    '`table.seal` cannot be read': (data) => change(seal(data), 0),
    '`table.sqlite` is cut to half, and `table.seal` is missing': (data) => {
      halve(main(data));
      rmSync(seal(data));
    },
    'the data has another layout': (data) => {
      const database = new DatabaseSync(main(data));
      database.exec('PRAGMA user_version = 99');
      database.close();
      rmSync(seal(data));
    },
    'the data is that of the first versions': (data) => {
      rmSync(join(data, 'dynamodb'), { recursive: true });
      mkdirSync(join(data, 'dynamodb'));
      writeFileSync(join(data, 'dynamodb/CURRENT'), 'MANIFEST-000002\n');
    },
    '`files/` is missing': (data) => rmSync(join(data, 'files'), { recursive: true }),
  }),
  ...variantsOf('killed', 'refused', {
    'the log is missing': (data) => rmSync(log(data)),
    'the log is empty': (data) => writeFileSync(log(data), ''),
    'the log is cut to half': (data) => truncateSync(log(data), Math.floor(lastCommit(data) / 2)),
    'the log lacks its last byte': (data) => truncateSync(log(data), lastCommit(data) - 1),
    '40 bytes in the middle of the log differ': (data) =>
      change(log(data), Math.floor(lastCommit(data) / 2)),
    'the header of the log is zeroed': (data) => {
      const bytes = readFileSync(log(data));
      writeFileSync(log(data), bytes.fill(0, 0, 32));
    },
    'the log is that of another folder': (data) => cpSync(log(join(root, 'another')), log(data)),
    'the log is an earlier one': (data) => cpSync(log(join(root, 'earlier')), log(data)),
    '`table.sqlite` is empty beside its log': (data) => writeFileSync(main(data), ''),
    '`table.sqlite` is cut to half beside its log': (data) => halve(main(data)),
    '40 bytes of a page differ that is not in the log': (data) =>
      change(main(data), untouchedPage(data) * pageBytes - 200),
  }),
  ...variantsOf('killed', 'nothing lost', {
    'nothing was done to it': () => undefined,
    'half a transaction is at the end of the log': (data) =>
      appendFileSync(log(data), Buffer.alloc(9000, 7)),
    '`table.sqlite-shm` is nonsense': (data) =>
      writeFileSync(join(data, 'dynamodb/table.sqlite-shm'), 'nonsense'),
  }),
  ...variantsOf('stopped', 'nothing lost', {
    '`table.seal` is missing': (data) => rmSync(seal(data)),
    'an empty log lies beside it': (data) => writeFileSync(log(data), ''),
  }),
  ...variantsOf('running', '503', {
    '`table.sqlite` is overwritten with zeros': (data) =>
      writeFileSync(main(data), Buffer.alloc(statSync(main(data)).size)),
    '`table.sqlite` is removed': (data) => rmSync(main(data)),
    '`table.sqlite` is replaced by an earlier copy': (data) =>
      cpSync(main(join(root, 'earlier')), main(data)),
    'the log is removed': (data) => rmSync(log(data)),
    'the whole folder is removed': (data) =>
      rmSync(join(data, 'dynamodb'), { recursive: true, force: true }),
  }),
  ...variantsOf('stopped', 'not noticed', {
    'all of `dynamodb/` is put back from an earlier copy, as a backup is': (data) => {
      rmSync(join(data, 'dynamodb'), { recursive: true });
      cpSync(join(root, 'earlier/dynamodb'), join(data, 'dynamodb'), { recursive: true });
    },
  }),
  ...variantsOf('killed', 'not noticed', {
    'the log and `table.seal` are both missing': (data) => {
      rmSync(log(data));
      rmSync(seal(data));
    },
  }),
];

function variantsOf(
  state: State,
  outcome: Outcome,
  damages: Readonly<Record<string, (data: string) => void>>,
): Variant[] {
  return Object.entries(damages).map(([name, damage]) => ({ state, outcome, name, damage }));
}

/** Where the last commit ends that was noted. */
function lastCommit(data: string): number {
  const { frames } = JSON.parse(readFileSync(seal(data), 'latin1').slice(0, 512));
  return 32 + frames * (24 + pageBytes);
}

/** Copies of one folder: when it was killed early, when it was killed later, and when it was stopped. */
async function makeCopies(home: Home): Promise<void> {
  const original = join(root, 'original');
  const keep = (name: string, data = original) =>
    cpSync(data, join(root, name), { recursive: true });
  const submit = async (edition: Edition, count: number, into: string[] = []) => {
    for (let n = 0; n < count; n += 1) {
      const { status, body } = await submitTo(edition.url, edition.token);
      expect(status).toBe(201);
      into.push(body.job_id);
    }
  };
  const another = await home.start({ DATA_DIR: join(root, 'another source') });
  await submit(another, 10);
  await end(another.child, 'SIGKILL');
  keep('another', join(root, 'another source'));

  const first = await home.start({ DATA_DIR: original });
  await submit(first, 40, accepted.earlier);
  await end(first.child, 'SIGKILL');
  keep('earlier');
  accepted.killed.push(...accepted.earlier);
  // Until the log holds a part of them: it is moved into the main file now and then. It is begun
  // anew at each start, and after two of them nobody can take the earlier one for its predecessor.
  for (let starts = 0; starts < 2 || lastCommit(original) < 100 * pageBytes; starts += 1) {
    const edition = await home.start({ DATA_DIR: original });
    await submit(edition, 55, accepted.killed);
    await end(edition.child, 'SIGKILL');
  }
  keep('killed');
  const last = await home.start({ DATA_DIR: original });
  expect(await end(last.child, 'SIGTERM')).toBe(0);
  keep('stopped');
  accepted.stopped.push(...accepted.killed);
}

interface Found {
  readonly outcome: Outcome | 'accepts';
  /** What it said, without what differs from one run to the next. */
  readonly said: string;
}

async function play(home: Home, { state, damage }: Variant): Promise<Found> {
  const data = mkdtempSync(join(root, 'copy-'));
  cpSync(join(root, state === 'killed' ? 'killed' : 'stopped'), data, { recursive: true });
  if (state !== 'running') damage(data);
  const child = home.run({ PORT: '0', DATA_DIR: data });
  const { code, text } = await readUntilUp(child);
  const say = (said: string) => simplify(said, data);
  if (code !== undefined) {
    expect({ code, lines: text.match(/\n/g)?.length, text }).toMatchObject({ code: 1, lines: 1 });
    return { outcome: 'refused', said: say(text) };
  }
  const url = /http:\/\/localhost:\d+/.exec(text)?.[0] ?? '';
  const token = /^ey\S+$/m.exec(text)?.[0] ?? '';
  try {
    if (state === 'running') {
      expect((await submitTo(url, token)).status).toBe(201);
      damage(data);
      let told = '';
      child.stderr?.on('data', (chunk) => {
        told += chunk;
      });
      await vi.waitUntil(async () => (await fetch(`${url}/status/`)).status === 503, {
        timeout: 60_000,
        interval: 50,
      });
      const { status } = await submitTo(url, token);
      // Whether SQLite or the look at the files comes first is chance.
      const said = /^The database in .* is damaged \(.*docs\/restore\.md/m.test(told);
      expect(said, told).toBe(true);
      return { outcome: status === 503 ? '503' : 'accepts', said: 'that the database is damaged' };
    }
    const { status } = await fetch(`${url}/status/`);
    const submitted = await submitTo(url, token);
    if (status === 503 && submitted.status === 503) return { outcome: '503', said: say(text) };
    const ids = await listJobs(url, token);
    const lost = accepted[state].filter((id) => !ids.has(id)).length;
    const isNew = !accepted[state].includes(submitted.body.job_id);
    expect({ status, submission: submitted.status, isNew }).toEqual({
      status: 200,
      submission: 201,
      isNew: true,
    });
    return { outcome: lost === 0 ? 'nothing lost' : 'not noticed', said: '' };
  } finally {
    await end(child, 'SIGKILL');
  }
}

/** Until it has ended, or says how to use it. */
function readUntilUp(child: ReturnType<Home['run']>): Promise<{ code?: number; text: string }> {
  return new Promise((resolve) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk;
      if (/\/admin\/quotas\/.*\n/.test(text)) resolve({ text });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('close', (code) => resolve({ code: code ?? -1, text }));
  });
}

async function listJobs(url: string, token: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let next: string | undefined = `${url}/jobs/?limit=100`;
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    const jobs: JobBody[] = JSON.parse(await response.text());
    for (const { job_id } of jobs) ids.add(job_id);
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return ids;
}

function simplify(text: string, data: string): string {
  const plain = text
    .trim()
    .replaceAll(`${data}/`, '')
    .replaceAll(/\b\d+\b/g, 'n');
  return /is damaged \((.*)\)\. /.exec(plain)?.[1] ?? plain.split('. ')[0] ?? '';
}

/** As docs/restore.md has it. */
function drawTable(rows: readonly (Variant & { readonly said: string })[]): string {
  const meanings = {
    refused: 'refused',
    '503': '503',
    'nothing lost': 'starts with everything',
    'not noticed': '**starts with less, not noticed**',
  };
  const lines = rows.map(
    ({ state, name, outcome, said }) => `| ${state} | ${name} | ${meanings[outcome]} | ${said} |`,
  );
  return [
    '| it was | and then | what happens | what it says |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}

const page = join(projectRoot, 'docs/restore.md');
const tableOnPage = /\| it was \| and then \|.*\n(?:\|.*\n)+/;

it(
  'never accepts a job on a damaged folder without having said so',
  async () => {
    root = mkdtempSync(join(tmpdir(), 'slipway-damage-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const home = openHome();
    await makeCopies(home);
    const rows: (Omit<Variant, 'outcome'> & Found)[] = [];
    for (const variant of variants) rows.push({ ...variant, ...(await play(home, variant)) });

    const outcomes = rows.map(({ state, name, outcome }) => `${state}: ${name}: ${outcome}`);
    expect(outcomes).toEqual(
      variants.map(({ state, name, outcome }) => `${state}: ${name}: ${outcome}`),
    );
    const table = drawTable(
      variants.map((variant, at) => ({ ...variant, said: rows[at]?.said ?? '' })),
    );
    const text = readFileSync(page, 'utf8');
    if (process.env.DAMAGE_TABLE === 'write') {
      writeFileSync(
        page,
        text.replace(tableOnPage, () => `${table}\n`),
      );
    } else {
      expect(tableOnPage.exec(text)?.[0]).toBe(`${table}\n`);
    }
  },
  20 * 60 * 1000,
);
