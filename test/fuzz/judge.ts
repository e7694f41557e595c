import { findFaults, findUndescribed } from '../fixtures/described-answers.ts';
import { type GivenAnswer, measureRequest, pathOf, type SentRequest } from './send.ts';

export interface Exchange {
  readonly request: SentRequest;
  readonly answer: GivenAnswer;
  /** What the request changed: keys of items and files. */
  readonly written: readonly string[];
  /** The service itself, unlike its storage. */
  readonly isOfApi: boolean;
  /** The number of the caller, if it is a plain user: whatever it reads must be its own. */
  readonly plainUser: string | undefined;
}

/** Returns what is wrong with an exchange, or undefined. */
type Rule = (exchange: Exchange) => string | undefined;

/** Slower answers are asked for again: a machine may stall, but not always for the same request. */
export const slowMs = 2000;

const largestFactor = 20;

/**
 * Writes that a refusal may leave behind. Everything else is a finding.
 * - Numbers of jobs and quotas are taken before the transaction that may fail, and then stay unused.
 * - The first call of a user gives the welcome quotas, whatever comes of the call itself.
 */
function isAllowed(key: string, written: readonly string[]): boolean {
  if (/^COUNTER#\w+ COUNTER$/.test(key)) return true;
  const user = /^(?:USER|LEDGER)#(\d+)/.exec(key)?.[1];
  const isOfWelcome = /^USER#\d+ (PROFILE|QUOTA#)|^LEDGER#.* \S*grant#slipway$/.test(key);
  return isOfWelcome && written.includes(`USER#${user} PROFILE`);
}

const rules: Readonly<Record<string, Rule>> = {
  // Without a build, the laptop edition has no console to serve.
  'no server error': ({ request, answer: { status } }) =>
    (status >= 500 || status === 0) && !(status === 503 && request.url.endsWith('/console/'))
      ? `The status is ${status}.`
      : undefined,

  'every answer is described': ({ request, answer, isOfApi }) => {
    const { status, headers, text } = answer;
    const path = decodePath(pathOf(request).replace(/\?.*/s, ''));
    if (!isOfApi || isBeside(path) || isOfGateway(answer)) return undefined;
    if (isPageOfMail(path, headers)) return undefined;
    if (request.method === 'HEAD' || status === 304) return text === '' ? undefined : 'A body.';
    const type = headers['content-type']?.replace(/;.*/, '');
    const faults = findUndescribed(request.method, path, { status, type, body: parse(text) });
    return faults.length === 0 ? undefined : faults.join('; ');
  },

  'every refusal is a problem': ({ request, answer, isOfApi }) => {
    const { status, headers, text } = answer;
    const path = decodePath(pathOf(request).replace(/\?.*/s, ''));
    if (!isOfApi || status < 400 || request.method === 'HEAD' || isOfGateway(answer)) return;
    if (isBeside(path) || isPageOfMail(path, headers)) return undefined;
    const faults = findFaults('/components/schemas/Problem', parse(text));
    return faults.length === 0 ? undefined : faults.join('; ');
  },

  // Lists are larger than their requests, and should be. An error that is many times larger than
  // its request would let a caller make the service send much for little.
  'no refusal is larger than 20 times its request': ({ request, answer }) => {
    if (answer.status < 400) return undefined;
    const sent = measureRequest(request);
    return answer.bytes > largestFactor * sent
      ? `${answer.bytes} bytes answer ${sent} bytes.`
      : undefined;
  },

  'a refusal writes nothing': ({ answer: { status }, written }) => {
    if (status < 400) return undefined;
    const wrong = written.filter((key) => !isAllowed(key, written));
    return wrong.length === 0 ? undefined : `It wrote ${wrong.join(', ')}.`;
  },

  'nothing of another user is shown': ({ answer: { status, text }, plainUser }) => {
    if (plainUser === undefined || status >= 400) return undefined;
    const shown = [...text.matchAll(/"(owner|user)":"([0-9]+)"/g)];
    const other = shown.find(([, , user]) => user !== plainUser);
    return other ? `It shows ${other[0]} to ${plainUser}.` : undefined;
  },

  'a banned user starts nothing': ({ request: { caller, method, url }, answer: { status } }) =>
    caller === 'banned' && status === 201 && method === 'POST' && /\/(jobs|batches)\//.test(url)
      ? 'It was accepted.'
      : undefined,

  'no insides are shown': ({ answer: { text } }) =>
    /\bat [\w.<>]+ \(|node_modules\/|file:\/\/|\b(Type|Reference|Range)Error\b/.test(
      text.slice(0, 2000),
    )
      ? 'It shows where in the code it failed.'
      : undefined,
};

/** Returns the rules that an exchange breaks, with what is wrong. */
export function judge(exchange: Exchange): { rule: string; wrong: string }[] {
  return Object.entries(rules).flatMap(([rule, breaks]) => {
    const wrong = breaks(exchange);
    return wrong === undefined ? [] : [{ rule, wrong }];
  });
}

/** Pages of the laptop edition and of the reference, which the description leaves out. */
function isBeside(path: string): boolean {
  return (
    /^\/*(console|local|docs|storage|openapi\.json|\.well-known)(\/|$)/.test(path) || path === '/'
  );
}

/** The pages behind the links in mails: people read them, also when a link is not valid. */
function isPageOfMail(path: string, headers: GivenAnswer['headers']): boolean {
  return (
    /^\/mail\/(confirm|unsubscribe)\/?$/.test(path) &&
    headers['content-type']?.startsWith('text/html') === true
  );
}

/**
 * The gateway refuses what is beyond its limits in a shape of its own, as an HTTP API does. That of
 * the laptop edition also refuses pages of other sites, which no function hears of.
 */
function isOfGateway({ status, text }: GivenAnswer): boolean {
  return (
    status === 431 ||
    text === '{"message":"Request Entity Too Large"}' ||
    (status === 403 && text.startsWith('{"type":"about:blank","title":"Forbidden"'))
  );
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(new URL(`http://localhost${path}`).pathname);
  } catch {
    return path;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
