import { afterEach, describe, expect, it } from 'vitest';
import { speakEnglish } from '#client/src/words/language.ts';
import { openCommandHome } from '../fixtures/command-host.ts';
import { startServer } from '../fixtures/http-server.ts';

afterEach(speakEnglish);

const systems = [
  {
    name: 'hpc_one',
    project_hpc: 'HPC_ONE',
    charging: 'node',
    stage_meanings: {},
    payload: { required: ['command'] },
    limits: { node_number: 4, core_number: 8, runtime: 24 },
    projects: ['proj_hpc_one_01'],
  },
];

const answers: Readonly<Record<string, unknown>> = {
  '/hpc/': systems,
  '/status/': {
    status: 'up',
    version: '0.1.0',
    systems: [{ name: 'hpc_one', status: 'down' }],
  },
};

async function startService() {
  const url = await startServer(({ url: path = '' }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[path.split('?')[0] ?? ''] ?? []));
  });
  return { SLIPWAY_URL: url, SLIPWAY_TOKEN: 'a.b.c' };
}

describe('slipway in German', () => {
  it.each([
    ['--lang', ['--lang', 'de', '--help'], {}],
    ['--lang after the command', ['jobs', '--help', '--lang', 'de'], {}],
    ['SLIPWAY_LANG', ['--help'], { SLIPWAY_LANG: 'de', LANG: 'en_GB.UTF-8' }],
    ['the locale', ['--help'], { LANG: 'de_CH.UTF-8' }],
    ['the locale of messages', ['--help'], { LC_MESSAGES: 'de_DE', LANG: 'C' }],
  ])('is chosen by %s', async (_, words, environment) => {
    const { code, out } = await openCommandHome().run(words, { environment });
    expect(code).toBe(0);
    expect(out).toMatch(/^Aufruf: slipway/);
    expect(out).toContain('Hilfe anzeigen');
  });

  it.each([
    [{}],
    [{ LANG: 'fr_FR.UTF-8' }],
    [{ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }],
    [{ SLIPWAY_LANG: 'en', LANG: 'de_DE.UTF-8' }],
  ])('is not chosen by %j', async (environment) => {
    const { out } = await openCommandHome().run(['--help'], { environment });
    expect(out).toMatch(/^Usage: slipway/);
  });

  it('names the languages if it does not know one', async () => {
    const { code, err } = await openCommandHome().run(['--lang', 'fr', 'jobs']);
    expect({ code, err }).toEqual({ code: 2, err: "Unknown language 'fr'.\nLanguages: en, de.\n" });
  });

  it.each([
    [['jobs', '--limt', '3'], 'Unbekannte Option „--limt“\n(War --limit gemeint?)\n'],
    [['jobs', '--limit', 'x'], 'Bitte eine ganze Zahl ab 1 angeben.'],
    [['logs', 'AF17', 'BD22'], 'Zu viele Argumente für „logs“. Erwartet: 1, angegeben: 2.'],
    [['submit'], 'Das System fehlt.'],
    [['jobz'], 'Unbekannter Befehl „jobz“'],
  ])('explains a mistake: %j', async (words, expected) => {
    const { code, err } = await openCommandHome().run(['--lang', 'de', ...words]);
    expect(err).toContain(expected);
    expect(code).toBe(2);
  });

  it('has headings and states', async () => {
    const environment = await startService();
    const { out } = await openCommandHome().run(['--lang', 'de', 'systems'], { environment });
    expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['SYSTEM', 'STATUS'],
      ['hpc_one', 'nicht erreichbar'],
      [''],
    ]);
  });

  it.each([[['systems', '--json']], [['doctor', '--json']], [['systems', '--csv']]])(
    'leaves what programs read as it is: %j',
    async (words) => {
      const environment = await startService();
      const home = openCommandHome();
      const inEnglish = await home.run(words, { environment });
      const inGerman = await home.run(words, {
        environment: { ...environment, SLIPWAY_LANG: 'de' },
      });
      const steady = ({ out, code }: typeof inEnglish) => ({
        code,
        out: out.replace(/\d+ ms/, 'ms'),
      });
      expect(steady(inGerman)).toEqual(steady(inEnglish));
    },
  );

  it('is answered in German or English', async () => {
    for (const [answer, expected] of [
      ['j', true],
      ['Ja', true],
      ['y', true],
      ['n', false],
      ['', false],
    ] as const) {
      const { confirm } = await import('#client/src/cli/session/session.ts');
      await openCommandHome().run(['--lang', 'de', '--version']);
      const host = { ask: async () => answer };
      const session = Object({ host, screen: { isLive: true } });
      expect(await confirm(session, 'Löschen?')).toBe(expected);
    }
  });
});
