import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Reply,
  startUpstream,
  type Upstream,
  type UpstreamRequest,
} from './start-upstream.ts';
import {
  countSeconds,
  isOver,
  type JobDescription,
  UnicoreJobs,
  type UnicoreJobsOptions,
  type UnicoreServerJob,
  writeDetails,
} from './unicore-jobs.ts';

export type { UnicoreServerJob } from './unicore-jobs.ts';

export interface UnicoreServer extends Upstream {
  readonly baseUrl: string;
  readonly jobs: ReadonlyMap<string, UnicoreServerJob>;
  /** The batch system behind it. */
  readonly batch: UnicoreJobs;
  /** What the server takes for credentials. */
  authorization: string;
  /** The accounts that may be asked for; all if it is missing. */
  accounts: readonly string[] | undefined;
  /** From now on no session is known (HTTP 432). */
  forgetSessions(): void;
}

const site = '/SITE/rest/core';
const noContent: Reply = { status: 204 };
const mostSessions = 5;

interface Session {
  account: string | undefined;
  readonly isAnonymous: boolean;
}

function answerJson(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  };
}

function refuse(status: number, errorMessage: string): Reply {
  return answerJson({ errorMessage, status }, status);
}

/**
 * UNICORE's REST interface as far as Slipway uses it, answering as a real UNICORE/X 11.0 did
 * (test/unicore). It runs the jobs unless it is told not to.
 */
export async function startUnicoreServer(options: UnicoreJobsOptions = {}): Promise<UnicoreServer> {
  const batch = new UnicoreJobs(options);
  const sessions = new Map<string, Session>();

  function create({ body }: UpstreamRequest, session: Session): Reply {
    if (session.isAnonymous) return { status: 403 };
    const id = randomUUID().replaceAll('-', '').slice(0, 11);
    try {
      const description: JobDescription = JSON.parse(body.toString());
      batch.create(id, description, session.account);
    } catch (error) {
      return refuse(500, `Could not submit job: org.json.JSONException: ${error}`);
    }
    return { status: 201, headers: { Location: `${server.baseUrl}/jobs/${id}` } };
  }

  function list({ query }: UpstreamRequest, session: Session): Reply {
    const tags = query.get('tags')?.split(',') ?? [];
    const from = Number(query.get('offset') ?? 0);
    const found = [...batch.all.values()]
      .filter(({ description: { Tags = [] } }) => tags.every((tag) => Tags.includes(tag)))
      .slice(from, from + Number(query.get('num') ?? 200));
    const jobs = session.isAnonymous ? [] : found;
    return answerJson({ jobs: jobs.map(({ id }) => `${server.baseUrl}/jobs/${id}`), _links: {} });
  }

  function routeJob(path: string, { method }: UpstreamRequest): Reply | undefined {
    const [, id = '', part = ''] = /^\/jobs\/(\w+)(\/details|\/actions\/\w+)?$/.exec(path) ?? [];
    const job = batch.all.get(id);
    if (!job) return undefined;
    if (method === 'DELETE') batch.remove(job);
    else if (part === '/actions/start') batch.start(job);
    else if (part === '/actions/abort') batch.abort(job);
    else if (part === '/details') {
      return answerJson({ rawDetailsData: job.details ?? writeDetails(job) });
    } else return answerJson({ ...describe(job, server.baseUrl), ...job.properties });
    return noContent;
  }

  function routeStorage(path: string, request: UpstreamRequest): Reply | undefined {
    const [, id = '', file] = /^\/storages\/(\w+)-uspace(?:\/files\/(.*))?$/.exec(path) ?? [];
    const job = batch.all.get(id);
    if (!job) return undefined;
    const isReady = Date.now() >= job.readyAt;
    if (file === undefined) {
      return answerJson({ resourceStatus: isReady ? 'READY' : 'INITIALIZING' });
    }
    if (!isReady) {
      const reason = `No such file or directory: 'null/${file}'`;
      return refuse(500, `Error uploading to '/${file}': ${reason}`);
    }
    return request.method === 'PUT' ? put(job, file, request) : serve(job, file, request);
  }

  function put(job: UnicoreServerJob, file: string, { headers, body }: UpstreamRequest): Reply {
    // Taken for a change of properties, as the real one does.
    if (headers['content-type'] === 'application/json') return { status: 404 };
    batch.write(job, file, body);
    return noContent;
  }

  function route(request: UpstreamRequest, session: Session): Reply {
    // Whatever is encoded twice, or leads elsewhere.
    if (/%(?:25|5C|2F|0[0-9A-F]|00)/i.test(request.path)) return { status: 400 };
    const path = decodeURIComponent(request.path.slice(site.length));
    if (path === '') {
      const selected = session.isAnonymous ? 'anonymous' : 'user';
      return answerJson({ client: { role: { selected }, xlogin: { UID: session.account } } });
    }
    if (path === '/jobs') {
      return request.method === 'POST' ? create(request, session) : list(request, session);
    }
    return routeJob(path, request) ?? routeStorage(path, request) ?? { status: 404 };
  }

  /** Finds the session that is shown, or begins one. Returns a status for whoever is not let in. */
  function findSession({ headers }: UpstreamRequest): [string, Session] | number {
    const { 'x-unicore-securitysession': shown, authorization = '' } = headers;
    if (shown !== undefined) {
      const known = sessions.get(String(shown));
      return known ? [String(shown), known] : 432;
    }
    const isAnonymous = authorization !== server.authorization;
    if (isAnonymous && !authorization.startsWith('Bearer')) return 403;
    return [randomUUID(), { account: undefined, isAnonymous }];
  }

  function admit(request: UpstreamRequest): [string, Session] | number {
    const found = findSession(request);
    if (typeof found === 'number') return found;
    const [name, session] = found;
    const preferences = String(request.headers['x-unicore-user-preferences']);
    const [, asked = session.account] = /uid:(\S+)/.exec(preferences) ?? [];
    // A session remembers the last account that was asked for, even a refused one.
    session.account = asked;
    if (asked !== undefined && server.accounts?.includes(asked) === false) return 403;
    // The one that was used last is last.
    sessions.delete(name);
    sessions.set(name, session);
    const [oldest] = sessions.keys();
    if (sessions.size > mostSessions && oldest !== undefined) sessions.delete(oldest);
    return [name, session];
  }

  const upstream = await startUpstream((request) => {
    const admitted = admit(request);
    if (typeof admitted === 'number') return { status: admitted };
    const [name, session] = admitted;
    const reply = route(request, session);
    return { ...reply, headers: { ...reply.headers, 'X-UNICORE-SecuritySession': name } };
  });
  const server: UnicoreServer = {
    ...upstream,
    baseUrl: `${upstream.url}${site}`,
    jobs: batch.all,
    batch,
    authorization: 'Bearer right',
    accounts: undefined,
    forgetSessions: () => sessions.clear(),
    close() {
      batch.close();
      upstream.close();
    },
  };
  return server;
}

/** All properties of a job that somebody reads. */
function describe(job: UnicoreServerJob, baseUrl: string) {
  const { id, status, statusMessage, exitCode, description, batchState, submittedAt } = job;
  const self = `${baseUrl}/jobs/${id}`;
  const wasAborted = statusMessage.startsWith('Job aborted');
  const last = job.runs.at(-1);
  const main = last && isOver(status) && !wasAborted ? String(countSeconds(last)) : 'N/A';
  return {
    status,
    statusMessage,
    ...(exitCode !== undefined && { exitCode }),
    tags: description.Tags,
    batchSystemID: batchState === undefined ? 'N/A' : '4711',
    submissionTime: submittedAt.toISOString().replace(/\.\d+Z$/, '+0000'),
    consumedTime: { total: 'N/A', queued: 'N/A', main },
    _links: {
      self: { href: self },
      workingDirectory: { href: `${baseUrl}/storages/${id}-uspace` },
      'action:start': { href: `${self}/actions/start` },
      'action:abort': { href: `${self}/actions/abort` },
    },
  };
}

/** One level of a directory as JSON, or the bytes of a file. */
function serve({ directory }: UnicoreServerJob, path: string, request: UpstreamRequest): Reply {
  const place = join(directory, path);
  if (!existsSync(place)) return { status: 404 };
  const isDirectory = lstatSync(place).isDirectory();
  if (request.headers.accept === 'application/octet-stream') {
    return isDirectory ? { status: 406 } : { status: 200, body: readFileSync(place) };
  }
  if (!isDirectory) return answerJson({ isDirectory: false });
  const entries = readdirSync(place, { withFileTypes: true }).map((entry) => {
    const name = `/${join(path, entry.name)}`;
    const { size } = lstatSync(join(place, entry.name));
    return entry.isDirectory()
      ? [`${name}/`, { isDirectory: true, size }]
      : [name, { isDirectory: false, size }];
  });
  return answerJson({ content: Object.fromEntries(entries) });
}
