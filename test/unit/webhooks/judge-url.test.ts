import { describe, expect, it } from 'vitest';
import { judgeUrl } from '#lib/webhooks/push/judge-url.ts';

const strict = { toLoopback: false };
const laptop = { toLoopback: true };

function judge(text: string, rules = strict): string {
  const judged = judgeUrl(text, rules);
  return 'url' in judged ? judged.url.href : judged.fault;
}

const notHttps = 'It must begin with https://.';
const notPublic = 'Its host is not a public address.';
const noUser = 'It must not contain a user or a password.';
const noFragment = 'It must not have a fragment (#).';

describe('an address that is registered', () => {
  it.each([
    { text: 'https://example.org', kept: 'https://example.org/' },
    { text: 'https://example.org:8443/a/b?c=d', kept: 'https://example.org:8443/a/b?c=d' },
    { text: 'https://example.org:443/', kept: 'https://example.org/' },
    { text: 'HTTPS://EXAMPLE.org/A', kept: 'https://example.org/A' },
    { text: 'https://exämple.org/', kept: 'https://xn--exmple-cua.org/' },
    { text: 'https://8.8.8.8/', kept: 'https://8.8.8.8/' },
    { text: 'https://[2606:4700:4700::1111]/', kept: 'https://[2606:4700:4700::1111]/' },
    { text: 'https://example.org/%23', kept: 'https://example.org/%23' },
  ])('$text is kept as $kept', ({ text, kept }) => {
    expect(judge(text)).toBe(kept);
  });

  it.each([
    { text: '', fault: 'It is not a valid web address.' },
    { text: 'example.org', fault: 'It is not a valid web address.' },
    { text: '/hook', fault: 'It is not a valid web address.' },
    { text: 'https://', fault: 'It is not a valid web address.' },
    { text: 'https://example.org:99999/', fault: 'It is not a valid web address.' },
    {
      text: 'http://example.org/',
      fault: `${notHttps} On a laptop, WEBHOOKS_TO_LOOPBACK=true npm start allows this machine, also over http.`,
    },
    { text: 'ftp://example.org/', fault: notHttps },
    { text: 'file:///etc/passwd', fault: notHttps },
    { text: 'javascript:alert(1)', fault: notHttps },
    { text: 'gopher://example.org/', fault: notHttps },
    { text: 'https://user@example.org/', fault: noUser },
    { text: 'https://user:word@example.org/', fault: noUser },
    { text: 'https://:word@example.org/', fault: noUser },
    { text: 'https://example.org/#a', fault: noFragment },
    { text: 'https://example.org/#', fault: noFragment },
  ])('$text is refused: $fault', ({ text, fault }) => {
    expect(judge(text)).toBe(fault);
  });

  it('has at most 2048 characters', () => {
    const start = 'https://example.org/';
    const longest = start.padEnd(2048, 'a');
    expect(judge(longest)).toBe(longest);
    expect(judge(`${longest}a`)).toBe('It has 2049 characters, but at most 2048 are allowed.');
  });
});

describe('an IPv4 address in an odd notation', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0X7F.0.0.0x1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '0',
    '0.0.0.0',
    '10.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::169.254.169.254]',
    '[2002:7f00:1::]',
    '[fd00:ec2::254]',
  ])('is refused: %s', (host) => {
    expect(judge(`https://${host}/latest/meta-data/`)).toBe(notPublic);
    expect(judge(`https://${host}:8443/`)).toBe(notPublic);
  });

  it('is kept in the plain one where it is public', () => {
    expect(judge('https://0x8080808/')).toBe('https://8.8.8.8/');
  });
});

describe('on a laptop that says so', () => {
  it.each(['http://127.0.0.1:8080/', 'http://[::1]:8080/', 'http://localhost/', 'https://a.org/'])(
    '%s is taken',
    (text) => {
      expect(judge(text, laptop)).toBe(text);
    },
  );

  it.each([
    { text: 'http://10.0.0.1/', fault: notPublic },
    { text: 'http://169.254.169.254/', fault: notPublic },
    { text: 'http://a@localhost/', fault: noUser },
    { text: 'ftp://localhost/', fault: notHttps },
  ])('$text is still refused', ({ text, fault }) => {
    expect(judge(text, laptop)).toBe(fault);
  });
});
