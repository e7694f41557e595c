import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Forms of secrets that a machine can recognise. Scanners of providers look for the same. */
const forms: Readonly<Record<string, RegExp>> = {
  'an AWS access key': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  'an AWS secret key': /aws_?secret_?access_?key["']?\s*[:=]\s*["']?[A-Za-z0-9+/]{40}\b/gi,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/g,
  'a private JWK': /"d"\s*:\s*"[A-Za-z0-9_-]{40,}"/g,
  'a JSON Web Token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  'a token of GitHub': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/g,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b|_authToken\s*=\s*[\w-]{20,}/g,
  'a token of PyPI': /\bpypi-AgEI[\w-]{30,}/g,
  'a token of Slack': /\bxox[abeoprs]-[\w-]{10,}|hooks\.slack\.com\/services\/T\w+\/B\w+\/\w+/g,
  'an API key of Google': /\bAIza[\w-]{35}\b/g,
  'a key of OpenAI, Anthropic or Stripe': /\b(?:sk|rk)[-_](?:live|proj|ant)[-_][\w-]{16,}/g,
  'a secret of a webhook': /\bwhsec_[A-Za-z0-9+/=]{24,}/g,
  'a password in an address': /\b[a-z][a-z+]*:\/\/[^\s:/@"'`$<>{}]+:[^\s:/@"'`$<>{}]{6,}@/g,
  'a password in an assignment':
    /\b(?:password|passwd|secret|api_?key)["']?\s*[:=]\s*["'](?=[^"']*\d)(?=[^"']*[a-z])[A-Za-z0-9+/_=-]{24,}["']/gi,
};

/** Names of files that hold secrets wherever they appear. */
const keptOut =
  /(?:^|\/)(?:id_(?:rsa|ecdsa|ed25519)|\.npmrc|\.pypirc|\.netrc|credentials)$|\.(?:pem|key|p12|pfx|jks|kdbx)$|\.env$/;

interface Allowed {
  readonly secret: string;
  readonly reason: string;
}

const allowed: readonly Allowed[] = [
  {
    secret: 'AKIAIOSFODNN7EXAMPLE',
    reason: "the example of AWS's documentation, with which the signature of requests is tested",
  },
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    reason: 'the example of the specification of Standard Webhooks',
  },
  {
    secret: 'whsec_c2xpcHdheSBzaG93cyBpdCBvbmNl',
    reason: 'an example of the API description: base64 of "slipway shows it once"',
  },
  {
    secret: 'whsec_YW4gZXhhbXBsZSBvZiAyNCBieXRlcy4u',
    reason: 'an example of docs/webhooks.md: base64 of "an example of 24 bytes.."',
  },
  { secret: '://user:password@', reason: 'the form of an address, where pages explain it' },
  { secret: '://slipway:password@', reason: 'the form of an address, with a name for the user' },
  { secret: 'http://user:secret@', reason: 'an address that a test expects refused' },
];
const allowedFiles = [
  // Variables of a service, none of them secret, which a test reads.
  'docs/examples/on-premises/slipway.env',
  'tools/description/placeholders.env',
];

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(file))
  .map((path) => ({ path, text: readFileSync(path, 'latin1') }));

function findSecrets(text: string): string[] {
  return Object.entries(forms).flatMap(([form, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => !allowed.some(({ secret }) => found.includes(secret)))
      .map(([found]) => `${form}: ${found.slice(0, 12)}...`),
  );
}

describe('the files of the repository', () => {
  it('hold no secret', () => {
    expect(tracked.length).toBeGreaterThan(1000);
    const found = tracked.flatMap(({ path, text }) =>
      findSecrets(text).map((secret) => `${path}: ${secret}`),
    );
    expect(found).toEqual([]);
  });

  it('have no name that belongs to a secret', () => {
    const named = tracked.map(({ path }) => path).filter((path) => keptOut.test(path));
    expect(named.filter((path) => !allowedFiles.includes(path))).toEqual([]);
  });
});

describe('a secret', () => {
  const letters = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4fGh7jKl0n';
  it.each([
    `AKI${'A'}QWERTYUIOPASDFGH`,
    `aws_secret_access_${'key'} = ${letters}`,
    `-----BEGIN ${'RSA PRIVATE'} KEY-----`,
    `-----BEGIN ${'PRIVATE'} KEY-----`,
    `{"kty":"EC",${'"d"'}:"${letters}"}`,
    `ey${'J'}hbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${letters}`,
    `gh${'p'}_${letters.slice(0, 36)}`,
    `npm${'_'}${letters.slice(0, 36)}`,
    `//registry.example.org/:_auth${'Token'}=${letters}`,
    `pypi-${'AgEI'}${letters}`,
    `xox${'b'}-123456789012-abc`,
    `AI${'za'}${letters.slice(0, 35)}`,
    `sk_${'live'}_${letters}`,
    `whsec${'_'}${letters}`,
    `https://ada:${'hunter22'}@example.org`,
    `const ${'password'} = '${letters}';`,
  ])('is found, whatever its form: %s', (text) => {
    expect(findSecrets(`before\n${text}\nafter`)).toHaveLength(1);
  });

  it.each(allowed)('$secret is allowed and still used', ({ secret }) => {
    const own = 'test/unit/supply/secrets.test.ts';
    const users = tracked.filter(({ path, text }) => path !== own && text.includes(secret));
    expect(users).not.toEqual([]);
  });

  it.each(['a/.npmrc', 'server.pem', 'keys/id_ed25519', '.env', 'prod.env'])(
    'is expected in %s',
    (file) => expect(file).toMatch(keptOut),
  );
});
