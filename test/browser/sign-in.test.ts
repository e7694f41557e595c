import { describe, expect, it } from 'vitest';
import { startFakeIssuer } from './fake-issuer.ts';
import { findChromium } from './find-chromium.ts';
import { openConsoleAt, shareEdition, signIn } from './open-console.ts';

const sharedEdition = shareEdition();

/** The laptop's policy does not allow an issuer. */
const anyPolicy = { bypassCSP: true };

/** Opens the console as a deployment with an issuer configures it. */
async function openWithIssuer() {
  const { consoleUrl, token } = await sharedEdition();
  const { page } = await openConsoleAt(consoleUrl, anyPolicy);
  const fake = await startFakeIssuer(token);
  await page.route('**/console/config.json', (route) =>
    route.fulfill({
      json: {
        api: '',
        signIn: 'oidc',
        issuer: fake.issuer,
        clientId: 'slipway-console',
        scope: 'openid',
        token: 'access_token',
        claims: { user: 'sub', admin: ['groups'], adminValue: 'slipway-admin' },
      },
    }),
  );
  return { page, fake };
}

describe.runIf(findChromium())('signing in at an issuer', () => {
  it('leads back to the requested page, and survives a reload', async () => {
    const { page, fake } = await openWithIssuer();
    await page.goto('/console/jobs/?state=ended');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      '/console/jobs/?state=ended',
    );
    await page.getByText('306328', { exact: true }).waitFor();

    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    expect(fake.grants.filter((kind) => kind === 'authorization_code')).toHaveLength(2);
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain('eyJ');
  });

  it('is renewed silently before the token expires', async () => {
    const { page, fake } = await openWithIssuer();
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await expect
      .poll(async () => {
        await page.getByRole('link', { name: 'Quotas' }).click();
        await page.getByRole('link', { name: 'Jobs' }).click();
        return fake.grants;
      })
      .toContain('refresh_token');
    expect(fake.grants[0]).toBe('authorization_code');
  });

  it('is needed again if the issuer has forgotten the person', async () => {
    const { page, fake } = await openWithIssuer();
    await page.goto('/console/jobs/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor();
    fake.knowsPerson = false;
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/jobs/');
  });

  it('is refused where the answer is somebody else’s', async () => {
    const { page, fake } = await openWithIssuer();
    fake.foreignNonce = 'another';
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The ID token is not for this sign-in.').waitFor();
    await page.goto('/console/?code=stolen&state=unknown');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
  });
});

describe.runIf(findChromium())('signing in on a laptop', () => {
  it('survives a reload and a new tab, without storing a token', async () => {
    const opened = await openConsoleAt((await sharedEdition()).consoleUrl);
    const { page } = opened;
    await signIn(opened);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto('/console/quotas/');
    await tab.getByText('5,000 of 5,000 node-hours left').first().waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(stored).not.toContain('eyJ');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Administrator 100001' }).click();
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
  });
});
