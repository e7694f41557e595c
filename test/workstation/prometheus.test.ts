import { spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../engines/find-free-port.ts';
import { end, openHome, projectRoot } from '../fixtures/edition.ts';
import { fetchMetrics, sumOf } from '../fixtures/metrics.ts';
import { submitTo } from '../fixtures/service.ts';
import { zipOf } from '../fixtures/zip.ts';

const examples = join(projectRoot, 'docs/examples/monitoring');

/** True if Debian's prometheus is installed, which brings promtool. */
const hasPrometheus = ['prometheus', 'promtool'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
);

if (!hasPrometheus) {
  process.stdout.write(
    'Figures are not scraped: it takes prometheus (apt-get install prometheus).\n',
  );
}

function promtool(parameters: string[], input = '') {
  const { status, stdout, stderr } = spawnSync('promtool', parameters, {
    cwd: examples,
    input,
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}` };
}

/** A laptop edition in threads whose figures are served, with jobs that end at once. */
async function startWatched() {
  const home = openHome();
  const port = await findFreePort();
  const edition = await home.start({ METRICS_PORT: String(port), SIM_HOUR_SECONDS: '1' });
  return { home, edition, port, url: `http://127.0.0.1:${port}/metrics` };
}

/** Starts Prometheus with the example, which asks this service at once. */
async function startPrometheus(folder: string, port: number): Promise<string> {
  cpSync(examples, folder, { recursive: true });
  const config = readFileSync(join(examples, 'prometheus.yml'), 'utf8');
  writeFileSync(
    join(folder, 'prometheus.yml'),
    config.replace('127.0.0.1:9464', `127.0.0.1:${port}`).replaceAll('30s', '1s'),
  );
  const own = await findFreePort();
  const child = spawn(
    'prometheus',
    [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=series',
      `--web.listen-address=127.0.0.1:${own}`,
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGKILL');
  });
  return `http://127.0.0.1:${own}/api/v1`;
}

const Answer = v.object({
  status: v.string(),
  data: v.object({ result: v.array(v.object({ value: v.tuple([v.number(), v.string()]) })) }),
});

/** The values that Prometheus finds, or undefined while it does not answer. */
async function query(api: string, expression: string): Promise<number[] | undefined> {
  const body = new URLSearchParams({ query: expression });
  const response = await fetch(`${api}/query`, { method: 'POST', body }).catch(() => undefined);
  if (!response) return undefined;
  const answer = v.safeParse(Answer, await response.json());
  return answer.success
    ? answer.output.data.result.map(({ value }) => Number(value[1]))
    : undefined;
}

function listPanels(): string[] {
  const text = readFileSync(join(examples, 'dashboard.json'), 'utf8');
  const expressions = [...text.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)];
  return expressions.map(([, written = '""']) =>
    String(JSON.parse(written)).replaceAll('$hpc', '.*').replaceAll('$__rate_interval', '5m'),
  );
}

describe.runIf(hasPrometheus)('docs/examples/monitoring', () => {
  it('has rules that ring when they should, and not otherwise', () => {
    expect(promtool(['check', 'rules', 'slipway.rules.yml'])).toMatchObject({ status: 0 });
    const tested = promtool(['test', 'rules', 'slipway.rules.test.yml']);
    expect(tested).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
  });

  it('is read by Prometheus from a service in threads', async () => {
    const { home, edition, port, url } = await startWatched();
    const api = await startPrometheus(home.path, port);
    const large = zipOf(200_000);
    for (const zip of [undefined, undefined, large]) {
      const answer = await submitTo(edition.url, edition.token, {}, {}, zip);
      expect(answer.status).toBe(201);
    }
    // Two were accepted by the thread that answers, the large one by a thread of its own.
    await expect
      .poll(async () => sumOf(await fetchMetrics(url), 'slipway_submissions_total'))
      .toBe(3);
    // The thread for jobs settles them.
    const ended = 'sum(slipway_job_ends_total{outcome="succeeded"})';
    await expect.poll(() => query(api, ended)).toEqual([3]);
    await expect.poll(() => query(api, 'sum(slipway_jobs{stage="SUCCESSFUL"})')).toEqual([3]);
    expect(await query(api, 'up{job="slipway"}')).toEqual([1]);
    const text = await (await fetch(url)).text();
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
    const listSilent = async () => {
      const found = await Promise.all(
        listPanels().map(async (expression) => ({
          expression,
          values: await query(api, expression),
        })),
      );
      const silent = found.filter(({ values }) => !values?.length);
      return silent.map(({ expression }) => /slipway_\w+/.exec(expression)?.[0]);
    };
    // Nothing was refused, and nobody has a webhook.
    await expect
      .poll(listSilent)
      .toEqual(['slipway_refusals_total', 'slipway_delivery_tries_total']);
    const rules = await (await fetch(`${api}/rules`)).text();
    expect(rules).not.toContain('"health":"err"');
    expect(rules.match(/"health":"ok"/g)).toHaveLength(15);
    expect(await query(api, 'ALERTS{alertstate="firing"}')).toEqual([]);
  });
});
