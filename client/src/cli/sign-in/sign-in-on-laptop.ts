import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { limitCall, readText } from '../../calls/limits.ts';
import { isThisMachine } from '../../sign-in/safe-address.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { type LaptopSignIn, requireSafeAddress, type Token } from './profile.ts';

const answerMs = 30_000;
const maxAnswerBytes = 1_000_000;

const LaptopAnswer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ access_token: v.string(), expires_in: v.exactOptional(v.number()) }),
);

/** Signs in at the laptop edition as any user. It believes everybody who has its key. */
export async function signInOnLaptop(
  url: string,
  signIn: LaptopSignIn,
  now: number,
): Promise<Token> {
  const { status, text } = await askLaptop(url, signIn);
  if (status === 401) throw refusedKey(url, signIn);
  const answer = v.safeParse(LaptopAnswer, text);
  if (!answer.success) {
    throw new CannotDo(phrase('session.serviceIsNotLaptopEdition', { url }), {
      next: phrase('session.signInWithItsIssuer', { url }),
    });
  }
  const { access_token: access, expires_in: seconds } = answer.output;
  return { access, ...(seconds !== undefined && { expires: now + seconds * 1000 }) };
}

async function askLaptop(
  url: string,
  { user, administrator, keyFile }: LaptopSignIn,
): Promise<{ readonly status: number; readonly text: string }> {
  requireSafeAddress(url);
  // The key is for this machine only, whatever address somebody was told to use.
  const sendsKey = keyFile !== undefined && isThisMachine(new URL(url).hostname);
  const key = sendsKey ? readKey(keyFile) : undefined;
  const limit = limitCall(answerMs, undefined);
  try {
    const answer = await fetch(`${url}/local/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { 'slipway-key': key }) },
      body: JSON.stringify({ user, administrator }),
      redirect: 'error',
      signal: limit.signal,
    });
    return { status: answer.status, text: await readText(answer, { maxAnswerBytes }) };
  } catch {
    throw new CannotDo(phrase('session.nothingAnswers', { url }), {
      outcome: outcome.unreachable,
      next: phrase('session.startItInAnotherTerminal'),
    });
  } finally {
    limit.end();
  }
}

/**
 * Finds the key that `npm start` keeps: in this folder or one above it, or above the command itself,
 * which may be part of the checkout that runs the service.
 */
export function findKeyFile(): string | undefined {
  return [process.cwd(), import.meta.dirname].flatMap(listUpwards).find((file) => existsSync(file));
}

/** Finds the addresses of the laptop editions that run from the folder of this key. */
export function findRunning(keyFile: string | undefined): readonly string[] {
  if (keyFile === undefined) return [];
  const folder = join(dirname(keyFile), 'running');
  const notes = existsSync(folder) ? readdirSync(folder) : [];
  return notes.flatMap((name) => {
    const { success, output } = v.safeParse(Note, readJson(join(folder, name)));
    return success && isAlive(output.pid) ? [output.url] : [];
  });
}

const Note = v.object({ pid: v.number(), url: v.string() });

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // It may have ended meanwhile.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function listUpwards(folder: string): string[] {
  const here = join(resolve(folder), '.slipway', 'key');
  const above = dirname(folder);
  return above === folder ? [here] : [here, ...listUpwards(above)];
}

function readKey(file: string): string {
  try {
    const key = readFileSync(file, 'utf8').trim();
    if (/^[\w-]{1,100}$/.test(key)) return key;
  } catch {
    // Explained below.
  }
  throw new CannotDo(phrase('session.theKeyCannotBeRead', { file }), {
    outcome: outcome.refused,
    next: howToShowKey(),
  });
}

function refusedKey(url: string, { keyFile }: LaptopSignIn): CannotDo {
  const words =
    keyFile === undefined
      ? phrase('session.theLaptopEditionAtWants', { url })
      : phrase('session.theLaptopEditionAtWantsIts', { url, keyFile });
  return new CannotDo(words, { outcome: outcome.refused, next: howToShowKey() });
}

function howToShowKey(): string {
  return phrase('session.signInFromTheFolder');
}
