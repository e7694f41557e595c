import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { openHome, readToEnd, readUntil } from '../fixtures/edition.ts';

/** Another program may have the port already, which serves the test as well. */
async function takePort(port: number): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen({ port, host: '127.0.0.1' });
  await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => undefined);
}

it('takes the next port if another program has port 3000, and says so', async () => {
  await takePort(3000);
  const child = openHome().run({ DATA_DIR: 'memory' });
  const welcome = await readUntil(child, /\/admin\/quotas\/.*\n/);
  const [, said] =
    /Port 3000 is in use, so Slipway listens on port (300[1-9])\./.exec(welcome) ?? [];
  expect(welcome).toContain(`http://localhost:${said}/docs/`);
  const { ok } = await fetch(`http://localhost:${said}/status/`);
  expect(ok).toBe(true);
});

it('refuses to start if the port that was asked for is in use', async () => {
  await takePort(3000);
  const { code, text } = await readToEnd(openHome().run({ DATA_DIR: 'memory', PORT: '3000' }));
  expect(code).toBe(1);
  expect(text).toContain('Port 3000 is in use. Choose another one: PORT=3001 npm start');
});
