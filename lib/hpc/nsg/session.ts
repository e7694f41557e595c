import { callUpstream, retryOnceRefused } from '../call-upstream.ts';
import type { CredentialStore } from '../credentials.ts';
import { CredentialsRefusedError, SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer, UpstreamCall } from '../exchange-bytes.ts';
import { judgeRefusal, NotKnownError } from './judge-refusal.ts';

export interface NsgSettings {
  readonly baseUrl: string;
  /** username, password and appkey of the application's registrant. */
  readonly credentials: CredentialStore;
  readonly endUsers: {
    /** With the user it makes the email address, which NSG wants to be unique. */
    readonly emailDomain: string;
    readonly institution: string;
    /** Two upper-case letters. */
    readonly country: string;
  };
  readonly timeoutSeconds?: number;
}

interface NsgCall extends Omit<UpstreamCall, 'url' | 'takesAnswer'> {
  /** The user that the call is for, if any. */
  readonly owner?: string;
  /** Relative to `/job/{user}` of the owner, or to the base. */
  readonly path: string;
  /** Accepts a 404 without a code, for calls that conclude nothing about the job from it. */
  readonly plainMissing?: boolean;
}

export interface NsgSession {
  /** Returns a 2xx answer or throws; NotKnownError if the object does not exist. */
  call(call: NsgCall): Promise<UpstreamAnswer>;
}

/** An umbrella application: one registrant, many end users. */
export function openSession(settings: NsgSettings): NsgSession {
  const { credentials, timeoutSeconds = 30 } = settings;
  const base = settings.baseUrl.replace(/\/+$/, '');

  async function send({ owner, path, plainMissing, ...call }: NsgCall): Promise<UpstreamAnswer> {
    const { username, password, appkey } = await credentials.read();
    if (username === undefined || password === undefined || appkey === undefined) {
      throw new CredentialsRefusedError('The secret must have username, password and appkey.');
    }
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const answer = await callUpstream({
      timeoutSeconds,
      ...call,
      url: `${base}${owner === undefined ? '' : pathOfUser(appkey, owner)}${path}`,
      headers: {
        ...call.headers,
        Authorization: `Basic ${basic}`,
        'cipres-appkey': appkey,
        ...(owner !== undefined && nameEndUser(owner, settings.endUsers)),
      },
      takesAnswer: async (seen) => {
        if (plainMissing && seen.status === 404) throw new NotKnownError('NSG: HTTP 404.');
        await judgeRefusal(seen);
        return false;
      },
    });
    if (answer.status >= 300) throw new SystemUnavailableError(`NSG: HTTP ${answer.status}.`);
    return answer;
  }

  return { call: (call) => retryOnceRefused(credentials, () => send(call)) };
}

/** Returns the name of the application, which is the beginning of its key. */
function pathOfUser(appkey: string, owner: string): string {
  return `/job/${encodeURIComponent(`${appkey.split('-')[0]}.${owner}`)}`;
}

function nameEndUser(
  owner: string,
  { emailDomain, institution, country }: NsgSettings['endUsers'],
) {
  return {
    'cipres-eu': owner,
    'cipres-eu-email': `${owner}@${emailDomain}`,
    'cipres-eu-institution': institution,
    'cipres-eu-country': country,
  };
}

export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotKnownError) return undefined;
    throw error;
  }
}
