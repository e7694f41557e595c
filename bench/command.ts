import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { bundleClient, bundleCommand } from '#tools/client/bundle-client.ts';
import { type Figure, formatTable, median } from './measure/figures.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';

const about = `Measures the start of \`slipway\`, installed and as a single file, next to a Node that does nothing.
\`slipway jobs\` asks a server on this machine that answers at once, so the request hardly counts. All
are started in turn, and the median counts.
`;

export const part: Part = {
  about,
  options: { times: { usual: 15, about: 'how often each is started' } },
  measure: async ({ count }) => {
    const folder = createTemporaryFolder();
    const single = join(folder, 'slipway');
    await bundleClient(join(folder, 'dist'));
    await bundleCommand(single);
    const service = await startService();
    const installed = join(folder, 'dist/slipway.js');
    const starts: Readonly<Record<string, readonly string[]>> = {
      help: [installed, '--help'],
      'single.version': [single, '--version'],
      'single.help': [single, '--help'],
      'single.jobs': [single, 'jobs'],
      bare: ['-e', '0'],
    };
    const times = new Map(Object.keys(starts).map((name) => [name, [] as number[]]));
    const environment = {
      SLIPWAY_URL: service.url,
      SLIPWAY_TOKEN: 'a.b.c',
      XDG_CONFIG_HOME: folder,
    };
    // The first start reads files that later ones find in the cache.
    for (let round = 0; round <= count('times'); round += 1) {
      for (const [name, words] of Object.entries(starts)) {
        const ms = await start(words, environment);
        if (round > 0) times.get(name)?.push(ms);
      }
    }
    service.stop();
    return report((name) => median(times.get(name) ?? []));
  },
};

/** Starts a service without jobs, in this process. */
async function startService() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('[]');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

/** Returns milliseconds. */
async function start(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [...words], { env, stdio: 'ignore' });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}.`);
  return performance.now() - began;
}

function report(medianOf: (name: string) => number): Figure[] {
  const bare = medianOf('bare');
  const row = (what: string, name: string) => {
    const ms = medianOf(name);
    return [what, `${ms.toFixed(0)} ms`, `${(ms / bare).toFixed(2)} x`] as const;
  };
  process.stdout.write(
    formatTable([
      ['', 'median', 'of a bare Node'],
      row('slipway --help, installed', 'help'),
      row('slipway --version, single file', 'single.version'),
      row('slipway --help, single file', 'single.help'),
      row('slipway jobs, single file', 'single.jobs'),
      row('a Node that does nothing', 'bare'),
    ]),
  );
  return [
    { name: 'command.help.ms', value: medianOf('help') },
    { name: 'command.help.to-bare', value: medianOf('help') / bare },
    ...['version', 'help', 'jobs'].map((name) => ({
      name: `command.single.${name}.ms`,
      value: medianOf(`single.${name}`),
    })),
  ];
}
