import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRefusal } from '#client/src/changes/describe-refusal.ts';
import { describeReason } from '#client/src/format/quotas/describe-reason.ts';
import { tell } from '#client/src/format/sentences/tell.ts';
import { told } from '#client/src/words/german/told.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import { explainWord } from '#lib/hpc/script/explain-batch-end.ts';
import { explainCommand, explainExit } from '#lib/hpc/script/explain-exit.ts';
import { scriptExits } from '#lib/hpc/script/script-terms.ts';
import { explainPending } from '#lib/hpc/slurm/observe-job.ts';
import { explainBroken, explainEnd, explainWait } from '#lib/jobs/chains/explain-wait.ts';
import { explainObstacle } from '#lib/systems/judge-maintenance.ts';
import { jobId, systemName } from '#test/fixtures/names.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const wordsOf = (path: string, table: string) => {
  const [, body = ''] =
    new RegExp(`const ${table}\\b[^{]*\\{\\n(.*?)\\n\\}`, 's').exec(read(path)) ?? [];
  return [...body.matchAll(/^ {2}'?([\w-]+)'?:/gm)].map(([, word = '']) => word);
};

beforeAll(() =>
  chooseLanguage(['de'], {
    de: async () => ({ language: (await import('#client/src/words/german/german.ts')).german }),
  }),
);
afterAll(speakEnglish);

/** Lists the sentences that stay English. */
function listEnglish(text: string): string[] {
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z0-9'"(])/);
  return tell(text) === text || sentences.length > 1
    ? sentences.filter((each) => tell(each) === each)
    : [];
}

describe('what the service says', () => {
  const problems = read('test/unit/http/problems.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

  it('is German in each title of a problem', () => {
    const titles = [...read('lib/http/problems.ts').matchAll(/: \[\d{3}, (['"])(.+?)\1/g)].map(
      ([, , title = '']) => title,
    );
    expect(titles.length).toBeGreaterThan(70);
    expect(titles.flatMap(listEnglish)).toEqual([]);
  });

  it('is German in each problem, whatever it names', () => {
    const shown = problems.map(({ name, detail, members = {} }) => {
      const problem = { type: `urn:slipway:problem:${name}`, title: '', detail, ...members };
      const described = describeRefusal(problem);
      return described === tell(detail) ? listEnglish(detail) : [];
    });
    // The tests of problems make one up.
    expect([...new Set(shown.flat())].filter((text) => text !== 'p0: No.')).toEqual([]);
    const fields = problems.flatMap(({ members }) => members?.errors ?? []);
    const messages = new Set(fields.map(({ message }) => message));
    for (const text of messages) if (/^(No\.|p\d+)$/.test(text)) messages.delete(text);
    expect(messages.size).toBeGreaterThan(5);
    expect([...messages].flatMap(listEnglish)).toEqual([]);
  });

  it('is German in each reason for which a job waits on Slurm', () => {
    const words = wordsOf('lib/hpc/slurm/observe-job.ts', 'reasons');
    expect(words.length).toBeGreaterThan(20);
    const limits = ['AssocGrpCPUMinutesLimit', 'QOSMaxJobsPerUserLimit', 'QOSMaxCpuPerJobLimit'];
    const reasons = [...words, ...limits, 'Brand_New'].map((reason) => explainPending({ reason }));
    expect(reasons.flatMap(listEnglish)).toEqual([]);
    expect(tell(explainPending({ reason: 'Priority' }))).toBe(
      'Andere Jobs kommen vor ihm. Slurm sagt: Priority.',
    );
  });

  it('is German in each reason for which a job ended', () => {
    const ends = wordsOf('lib/hpc/script/explain-batch-end.ts', 'ends');
    expect(ends.length).toBeGreaterThan(8);
    const reasons = [
      ...ends.map((end) => explainWord(end) ?? ''),
      explainWord('NODE_FAIL', 'PartitionDown') ?? '',
      ...[0, 1, 126, 127, ...Object.values(scriptExits)].map((code) => explainExit(Number(code))),
      explainCommand(2),
    ];
    expect(reasons.flatMap(listEnglish)).toEqual([]);
    expect(tell('It was stopped after the 1 second that it was granted.')).toBe(
      'Er wurde nach der gewährten Sekunde gestoppt.',
    );
    expect(tell(explainExit(127))).toBe(
      'Der Befehl wurde nicht gefunden: Exit-Code 127. Das Ende von stderr sagt, welcher.',
    );
  });

  it('is German of jobs that wait for others, and of maintenance', () => {
    const open = ['RUNNING', 'DONE', 'WAITING', 'FAILED'].map((stage, at) => {
      return { id: jobId(`3A5F-${at}`), stage, hpc: systemName('hpc_one') };
    });
    expect(tell(explainWait(open) ?? '')).toBe(
      'Wartet auf 3A5F-0 (läuft auf hpc_one), 3A5F-1 (fertig auf hpc_one), 3A5F-2 (wartet auf hpc_one) und 1 weitere.',
    );
    for (const state of ['failed', 'cancelled', 'deleted', 'active'] as const) {
      const broken = { id: jobId('3A5F'), hpc: systemName('hpc_one'), state, givesInput: true };
      expect(listEnglish(explainEnd(broken)), explainBroken(broken)).toEqual([]);
    }
    const from = new Date('2026-12-01T08:00:00Z');
    const window = { from, until: new Date('2026-12-01T12:00:00Z'), reason: 'New racks' };
    const said = tell(
      explainObstacle(
        { ...window, name: 'w', source: 'catalog', drains: true },
        new Date('2026-12-01T05:00:00Z'),
      ),
    );
    expect(said).toMatch(
      /^Der Job wartet auf das Ende der Wartung von .*: New racks\. Mit höchstens 3 Stunden liefe er vorher\.$/,
    );
  });

  it('is German wherever the service gives a reason in words of its own', () => {
    const folders = [
      'jobs',
      'quotas',
      'batches',
      'budgets',
      'files/folders',
      'webhooks',
      'hpc/machine',
    ];
    const texts = folders
      .flatMap((folder) => globSync(`lib/${folder}/**/*.ts`, { cwd: root }))
      .flatMap((path) => [
        ...read(path).matchAll(/\breason(?:: | = |: [^'`\n]*\? )(['`])([^'`\n]+)\1/g),
      ])
      .map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '7'));
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.flatMap(listEnglish).filter((text) => !composed.includes(text))).toEqual([]);
  });

  it('is German in the ledger', () => {
    const write = (reason: string) => describeReason({ reason }, 'node');
    expect(write('batch of 12 jobs submitted')).toBe('Batch mit 12 Jobs eingereicht');
    expect(write('monthly renewal of 2026-12-01')).toBe(
      'Erneuerung (monatlich) vom 1. Dezember 2026',
    );
  });
});

/** Texts that consist of others. */
const composed = ['7', '7 7', 'Cancelled because 7.', '7 cannot be reached right now.'];

describe('what the service did not say', () => {
  it('stays as it is', () => {
    for (const text of ['', 'course in spring', 'GPUs are broken. Use hpc_two.']) {
      expect(tell(text)).toBe(text);
    }
  });

  it('is not taken for more than one sentence', () => {
    const text = 'The command ended with exit code 3. And then some. exit code 4.';
    expect(tell(text)).toBe('Der Befehl endete mit Exit-Code 3. And then some. exit code 4.');
  });

  it('does not slow a reader down', () => {
    const hostile = `Waiting for ${'a, '.repeat(20_000)}`;
    const begun = performance.now();
    expect(tell(hostile)).toBe(hostile);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it('stays English in English', async () => {
    speakEnglish();
    expect(tell('Cancelled by its owner.')).toBe('Cancelled by its owner.');
    await chooseLanguage(['de'], {
      de: async () => ({ language: (await import('#client/src/words/german/german.ts')).german }),
    });
  });
});

it('has parameters that its English has', () => {
  const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  for (const [english, own] of Object.entries(told)) {
    expect(names(english), own).toEqual(expect.arrayContaining(names(own)));
  }
});
