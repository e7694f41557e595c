import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createIssuer } from '#local/issuer.ts';
import { bundleClient } from '#tools/client/bundle-client.ts';
import { typeInTerminal } from '../client/fixtures/terminal.ts';
import { startFakeIssuer } from './fake-issuer.ts';
import { findChromium } from './find-chromium.ts';
import { launchChromium } from './open-console.ts';

const audience = 'slipway';

/** A whole service that trusts an issuer without a device flow, and the command in a folder. */
async function startWithIssuer() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keys = createIssuer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + 3600 };
  const fake = await startFakeIssuer((iss) =>
    keys.signToken({ iss, aud: audience, sub: '306328', ...times }),
  );
  const identity = { ISSUER: fake.issuer, AUDIENCE: audience };
  const environment = { ...identity, JWKS: keys.jwks, COMMAND_CLIENT_ID: 'slipway-command' };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { startService } = await import('#local/start-service.ts');
  const service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory: join(folder, 'state'),
    ownIssuer: { identity, console: { clientId: 'slipway-console', scope: 'openid' } },
  });
  onTestFinished(() => service.close());
  await bundleClient(join(folder, 'dist'));
  const command = `${process.execPath} ${join(folder, 'dist/slipway.js')}`;
  return { fake, url: service.url, folder, command };
}

/** Opens a page in Chromium and returns what it shows in the end. */
async function visit(address: string): Promise<string> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(address);
    return await page.locator('body').innerText();
  } finally {
    await browser.close();
  }
}

describe.runIf(findChromium())(
  'slipway login in a terminal, with an issuer without device flow',
  () => {
    it('ends with Ctrl-C, or is finished in a browser, and needs only the address of the service', async () => {
      const { fake, url, folder, command } = await startWithIssuer();
      const typing = { cwd: folder, environment: { XDG_CONFIG_HOME: folder } };
      const interrupted = await typeInTerminal(`${command} login --url ${url}`, {
        ...typing,
        interruptAt: /\/authorize\?\S+\n/,
      });
      expect(interrupted.code).toBe(130);
      expect(fake.grants).toEqual([]);

      let visited: Promise<string> | undefined;
      const { code, text } = await typeInTerminal(`${command} login --url ${url}`, {
        ...typing,
        onText: (shown) => {
          const [, address] = /^(http\S+\/authorize\S+)\n/m.exec(shown) ?? [];
          if (address !== undefined) visited ??= visit(address);
        },
      });
      expect(text).toContain(`Signed in at ${url}.`);
      expect(code).toBe(0);
      expect(await visited).toContain('You can close this tab');
      expect(fake.grants).toEqual(['authorization_code']);
      const jobs = await typeInTerminal(`${command} jobs`, typing);
      expect(jobs).toMatchObject({ code: 0 });
    });
  },
);
