import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

interface Sent {
  readonly query: URLSearchParams;
  readonly rows: readonly Record<string, string>[];
}

/** A service that enters every account but those of root. */
async function startService() {
  const sent: Sent[] = [];
  const url = await startServer(async (request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://localhost');
    const lines = (await text(request)).split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    sent.push({ query, rows });
    const answers = rows.map(({ user_id: user, hpc, account }, index) =>
      account === 'root'
        ? {
            line: index + 1,
            outcome: 'refused',
            problem: { type: 'x', title: 'x', detail: 'Jobs must not run as root.' },
          }
        : { line: index + 1, outcome: 'created', user, hpc, account },
    );
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers));
  });
  return { sent, environment: { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' } };
}

async function importFile(content: string, ...words: string[]) {
  const { sent, environment } = await startService();
  const home = openCommandHome();
  const path = join(home.path, 'accounts.csv');
  writeFileSync(path, content);
  const command = ['admin', 'accounts', 'import', path, ...words];
  return { sent, ...(await home.run(command, { environment })) };
}

const reason = ['--reason', 'the users of the centre'];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('slipway admin accounts import', () => {
  it('sends the rows of a CSV file, and tells refused lines by their numbers in it', async () => {
    const file = 'user_id,hpc,account\r\n1,mahti,ada.lovelace\r\n\r\n2,mahti,root\r\n';
    const { sent, code, out, err } = await importFile(file, ...reason);
    expect(sent).toMatchObject([
      {
        rows: [
          { user_id: '1', hpc: 'mahti', account: 'ada.lovelace' },
          { user_id: '2', hpc: 'mahti', account: 'root' },
        ],
      },
    ]);
    expect(Object.fromEntries(sent[0]?.query ?? [])).toEqual({
      reason: 'the users of the centre',
      dry_run: 'false',
    });
    expect(out).toMatch(/^ +2 +1 +mahti +ada\.lovelace +created$/m);
    expect(out).toMatch(/^ +4 +2 +mahti +root +Jobs must not run as root\.$/m);
    expect(err).toContain('1 created, 1 refused.\nCorrect the other lines in the same file');
    expect(code).toBe(3);
  });

  it('sends more than a thousand rows in pieces, and shows only what was not done', async () => {
    const lines = numbers(2_300).map((user) =>
      JSON.stringify({
        user_id: user,
        hpc: 'mahti',
        account: user === 2_100 ? 'root' : `u${user}`,
      }),
    );
    const { sent, code, out, err } = await importFile(lines.join('\n'), ...reason);
    expect(sent.map(({ rows }) => rows.length)).toEqual([1_000, 1_000, 300]);
    expect(sent.flatMap(({ rows }) => rows.map(({ user_id: user }) => user))).toEqual(
      numbers(2_300).map(String),
    );
    expect(out.trimEnd().split('\n')).toHaveLength(2);
    expect(out).toMatch(/^ *2100 +2100 +mahti +root +Jobs must not run as root\.$/m);
    expect(err).toContain('2299 created, 1 refused.');
    expect(code).toBe(3);
  });

  it('counts lines in the file for programs, too', async () => {
    const lines = numbers(1_001).map((user) => `${user},mahti,u${user}`);
    const { out } = await importFile(
      `user_id,hpc,account\n${lines.join('\n')}\n`,
      ...reason,
      '--json',
    );
    expect(JSON.parse(out).at(-1)).toMatchObject({ line: 1_002, account: 'u1001' });
  });

  it('enters nothing with --dry-run, which needs no reason', async () => {
    const { sent, code, err } = await importFile('user_id,hpc,account\n1,mahti,ada\n', '--dry-run');
    expect(sent.map(({ query }) => query.get('dry_run'))).toEqual(['true']);
    expect(err).toContain('1 created. Nothing was entered yet.');
    expect(code).toBe(0);
  });

  it.each([
    { file: 'user_id,account\n1,ada\n', told: 'Missing columns: hpc.' },
    { file: 'user_id,hpc,account,shell\n1,mahti,ada,sh\n', told: 'Unknown columns: shell.' },
    { file: 'user_id,hpc,account\n', told: 'no rows' },
    {
      file: '{"user_id":"1","hpc":"mahti","account":"ada"}\n{nonsense\n',
      told: 'line 2: It is not valid JSON.',
    },
    {
      file: 'user_id,hpc,account\n1,mahti,ada\n2,mahti,eve\n1,mahti,grace\n',
      told: 'line 4: Line 2 names the same user and system. Keep only one of them.',
    },
  ])('sends nothing of a file that is wrong: $told', async ({ file, told }) => {
    const { sent, code, err } = await importFile(file, ...reason);
    expect(err).toContain(told);
    expect([code, sent]).toEqual([2, []]);
  });
});
