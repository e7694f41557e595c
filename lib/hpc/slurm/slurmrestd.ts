import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { callUpstream } from '../call-upstream.ts';
import type { CredentialStore } from '../credentials.ts';
import { CredentialsRefusedError, SystemUnavailableError } from '../errors.ts';
import type { UpstreamCall } from '../exchange-bytes.ts';
import { describeErrors, reportFailure } from './judge-refusal.ts';
import {
  type Proof,
  proveUser,
  readSlurmCredentials,
  type SlurmCredentials,
} from './prove-user.ts';
import { hasCode, isPathGone, isSuccess, readAnswer, type SlurmAnswer } from './read-answer.ts';
import type { Slurm } from './slurm.ts';
import {
  buildCurrentBody,
  buildOldBody,
  buildTransitionalBody,
  type SubmitBody,
} from './submit-bodies.ts';

export interface SlurmrestdOptions {
  readonly baseUrl: string;
  /** `user`, and `token` or `key` (prove-user.ts). */
  readonly credentials: CredentialStore;
  /** Slurm itself gives up on its controller after 9 s, and after 18 s for a single job. */
  readonly timeoutSeconds?: number;
  /** A list has every user's jobs, at about 3 kB each. */
  readonly maxAnswerBytes?: number;
}

interface SlurmCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly area?: 'slurm' | 'slurmdb';
  readonly path: string;
  readonly body?: (api: Api) => unknown;
  /** The account that the call is for; undefined for the service's own. */
  readonly login?: string | undefined;
}

interface Sending extends Pick<SlurmCall, 'method' | 'login'> {
  /** Includes the area and the version. */
  readonly path: string;
  readonly content?: unknown;
}

/** Says to a slurmrestd what is said to a Slurm, versions 0.0.37 to 0.0.43 of its interface. */
export function openSlurmrestd(options: SlurmrestdOptions): Slurm {
  const { baseUrl, credentials, timeoutSeconds = 20, maxAnswerBytes = 64_000_000 } = options;
  let known: Promise<Api> | undefined;

  async function readCredentials(): Promise<SlurmCredentials> {
    return readSlurmCredentials(await credentials.read());
  }

  async function send({ method, path, content, login }: Sending) {
    const prove = (known: SlurmCredentials) => proveUser(known, login ?? known.user);
    const request: UpstreamCall = {
      url: `${baseUrl.replace(/\/$/, '')}${path}`,
      method,
      timeoutSeconds,
      maxAnswerBytes,
      ...(content !== undefined && { body: JSON.stringify(content) }),
    };
    const shown = await readCredentials();
    try {
      return await exchange(request, prove(shown));
    } catch (error) {
      if (!(error instanceof CredentialsRefusedError)) throw error;
      credentials.forget();
      const fresh = await readCredentials();
      const sameAsBefore = isDeepStrictEqual(fresh, shown);
      if (sameAsBefore || !isRepeatable(error, method)) throw settleDoubt(error);
      return await exchange(request, prove(fresh)).catch((second: unknown) => {
        throw settleDoubt(second);
      });
    }
  }

  async function askForApi(): Promise<Api> {
    return chooseApi(await send({ method: 'GET', path: '/openapi/v3' }));
  }

  /** Asks once per container, and again when a path is gone after an upgrade of Slurm. */
  function discover(): Promise<Api> {
    known ??= askForApi().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  function sendAs(api: Api, { method, area = 'slurm', path, body, login }: SlurmCall) {
    const whole = `/${area}/v0.0.${api.version.number}${path}`;
    return send({ method, path: whole, content: body?.(api), login });
  }

  async function call(call: SlurmCall): Promise<SlurmAnswer> {
    const api = await discover();
    const answer = await sendAs(api, call);
    if (!isPathGone(answer)) return answer;
    known = undefined;
    const fresh = await discover();
    return fresh.version === api.version ? answer : sendAs(fresh, call);
  }

  const ask = (path: string, login?: string) => call({ method: 'GET', path, login });
  const askAccounting = (path: string, login?: string) =>
    call({ method: 'GET', area: 'slurmdb', path, login });

  return {
    maxSingleQuestions: 4,
    acceptsUnknownAccounts: true,
    async readUser() {
      return (await readCredentials()).user;
    },
    hasAccounting: async () => (await discover()).hasAccounting,
    submit: (job, login) =>
      call({
        method: 'POST',
        path: '/job/submit',
        body: ({ version }) => version.buildBody(job),
        login,
      }),
    cancel: (handle, login) => call({ method: 'DELETE', path: nameJob(handle), login }),
    listQueue: (login) => ask('/jobs', login),
    readQueued: (number, login) => ask(nameJob(number), login),
    readAccounted: (number, login) => askAccounting(nameJob(number), login),
    findAccounted: (names, login) =>
      askAccounting(`/jobs/?job_name=${encodeURIComponent(names.join(','))}`, login),
    async listAccounted(since) {
      const { version } = await discover();
      return askAccounting(`/jobs?start_time=${encodeURIComponent(version.writeStart(since))}`);
    },
    listReservations: () => ask('/reservations'),
    async checkHealth() {
      const answer = await ask('/ping');
      if (!isSuccess(answer)) throw reportFailure(answer, 'ping');
      const result = v.safeParse(Pings, answer.content);
      if (!result.success || !result.output.pings.some(isUp)) {
        throw new SystemUnavailableError('No Slurm controller answers.');
      }
    },
  };
}

function nameJob(handle: string): string {
  return `/job/${encodeURIComponent(handle)}`;
}

const Ping = v.object({
  ping: v.optional(v.string()),
  pinged: v.optional(v.string()),
  responding: v.optional(v.boolean()),
});
const Pings = v.object({ pings: v.array(Ping) });

/** Reads `ping` up to about 0.0.39, then `pinged`, then also `responding`. */
function isUp({ ping, pinged, responding }: v.InferOutput<typeof Ping>): boolean {
  return responding ?? (ping ?? pinged) === 'UP';
}

/**
 * Slurm 22.05 does not say that it refuses a token. Its controller hangs up, and slurmrestd reports
 * the same as for a controller that is down.
 */
class DoubtfulAnswerError extends CredentialsRefusedError {}

/** SLURM_ERROR for a GET, "Zero Bytes were transmitted or received" for the others. */
const doubtfulCodes = [-1, 5005];

async function exchange(request: UpstreamCall, { user, token }: Proof) {
  const answer = readAnswer(
    await callUpstream({
      ...request,
      headers: {
        'x-slurm-user-name': user,
        'x-slurm-user-token': token,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      // Slurm's own error has a number, with 500 in older versions. callUpstream judges any other.
      takesAnswer: (raw) => raw.status >= 500 && readAnswer(raw).errors !== undefined,
    }),
  );
  if (answer.status === 500 && hasCode(answer, ...doubtfulCodes)) {
    throw new DoubtfulAnswerError(`${request.method}: ${describeErrors(answer)}`);
  }
  return answer;
}

/** The job may have been accepted before the controller hung up, and a retry would double it. */
function isRepeatable(error: CredentialsRefusedError, method: SlurmCall['method']): boolean {
  return method !== 'POST' || !(error instanceof DoubtfulAnswerError);
}

function settleDoubt(error: unknown): unknown {
  if (!(error instanceof DoubtfulAnswerError)) return error;
  return new SystemUnavailableError(
    `${error.message} The controller is down, or does not accept our token.`,
  );
}

/** The differences between versions of the interface in what is sent. */
interface ApiVersion {
  /** The N of v0.0.N. */
  readonly number: number;
  readonly buildBody: SubmitBody;
  readonly writeStart: (since: Date) => string;
}

/** As sacct reads it. */
function writeAsText(since: Date): string {
  return since.toISOString().slice(0, 19);
}

function writeSeconds(since: Date): string {
  return String(Math.floor(since.getTime() / 1000));
}

/**
 * job-record.ts handles differences in answers by their shape (states as a word or a list, exit codes
 * and times as numbers or structs), because 0.0.39 mixes both.
 */
const apiVersions: readonly ApiVersion[] = [
  { number: 37, buildBody: buildOldBody, writeStart: writeAsText },
  { number: 38, buildBody: buildOldBody, writeStart: writeAsText },
  { number: 39, buildBody: buildTransitionalBody, writeStart: writeAsText },
  { number: 40, buildBody: buildTransitionalBody, writeStart: writeSeconds },
  { number: 41, buildBody: buildCurrentBody, writeStart: writeSeconds },
  { number: 42, buildBody: buildCurrentBody, writeStart: writeSeconds },
  { number: 43, buildBody: buildCurrentBody, writeStart: writeSeconds },
];

/** The interface that a slurmrestd serves, among those that we know. */
interface Api {
  readonly version: ApiVersion;
  /** True if slurmdbd is set up, so that the accounting is served, too. */
  readonly hasAccounting: boolean;
}

const Specification = v.object({ paths: v.record(v.string(), v.unknown()) });

/** Chooses the newest version we know from slurmrestd's own specification (GET /openapi/v3). */
function chooseApi({ content }: SlurmAnswer): Api {
  const result = v.safeParse(Specification, content);
  const paths = result.success ? Object.keys(result.output.paths) : [];
  const serves = (area: string, { number }: ApiVersion) =>
    paths.some((path) => path.startsWith(`/${area}/v0.0.${number}/job/`));
  const version = apiVersions.findLast((candidate) => serves('slurm', candidate));
  if (version === undefined) {
    throw new SystemUnavailableError(
      'slurmrestd offers no version of its interface that Slipway supports.',
    );
  }
  return { version, hasAccounting: serves('slurmdb', version) };
}
