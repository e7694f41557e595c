import { randomUUID } from 'node:crypto';
import {
  type Reply,
  startUpstream,
  type Upstream,
  type UpstreamRequest,
} from './start-upstream.ts';

export interface UnicoreServerJob {
  readonly id: string;
  /** What was sent to create it. */
  readonly description: Readonly<Record<string, unknown>>;
  readonly files: Map<string, Buffer>;
  starts: number;
  status: string;
  /** Properties over those that the status gives. */
  properties: Record<string, unknown>;
}

export interface UnicoreServer extends Upstream {
  readonly baseUrl: string;
  readonly jobs: Map<string, UnicoreServerJob>;
  /** What the server takes for credentials. */
  authorization: string;
  /** From now on no session is known (HTTP 432). */
  forgetSessions(): void;
}

const site = '/SITE/rest/core';
const noContent: Reply = { status: 204 };

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

/** UNICORE's REST interface as far as Slipway uses it, with its state in memory. */
export async function startUnicoreServer(): Promise<UnicoreServer> {
  const jobs = new Map<string, UnicoreServerJob>();
  const sessions = new Set<string>();

  function create({ body }: UpstreamRequest): Reply {
    const description = JSON.parse(body.toString());
    const id = randomUUID();
    const status = description.haveClientStageIn === 'true' ? 'READY' : 'QUEUED';
    jobs.set(id, { id, description, files: new Map(), starts: 0, status, properties: {} });
    return { status: 201, headers: { Location: `${server.baseUrl}/jobs/${id}` } };
  }

  function list({ query }: UpstreamRequest): Reply {
    const tags = query.get('tags')?.split(',') ?? [];
    const found = [...jobs.values()].filter(({ description: { Tags } }) =>
      tags.every((tag) => Array.isArray(Tags) && Tags.includes(tag)),
    );
    return answerJson({ jobs: found.map(({ id }) => `${server.baseUrl}/jobs/${id}`), _links: {} });
  }

  function show(job: UnicoreServerJob): Reply {
    const self = `${server.baseUrl}/jobs/${job.id}`;
    return answerJson({
      status: job.status,
      statusMessage: '',
      tags: job.description.Tags,
      submissionTime: '2026-01-05T10:00:00+0200',
      consumedTime: { total: 'N/A', queued: 'N/A', main: 'N/A' },
      _links: {
        self: { href: self },
        workingDirectory: { href: `${server.baseUrl}/storages/${job.id}-uspace` },
        'action:start': { href: `${self}/actions/start` },
        'action:abort': { href: `${self}/actions/abort` },
      },
      ...job.properties,
    });
  }

  function act(job: UnicoreServerJob, action: string): Reply {
    if (action === 'start') {
      job.starts += 1;
      if (job.status === 'READY') job.status = 'QUEUED';
    }
    // There is no ABORTED; and what has ended stays as it is.
    if (action === 'abort' && job.status !== 'SUCCESSFUL') job.status = 'FAILED';
    return noContent;
  }

  function serveFiles(job: UnicoreServerJob, path: string, request: UpstreamRequest): Reply {
    if (request.method === 'PUT') {
      // Taken for a change of properties, as the real one does.
      if (request.headers['content-type'] === 'application/json') return noContent;
      job.files.set(path, request.body);
      return noContent;
    }
    const file = job.files.get(path);
    if (request.headers.accept !== 'application/octet-stream') return listFiles(job, path);
    if (file) return { status: 200, body: file };
    const isDirectory = [...job.files.keys()].some((name) => name.startsWith(`${path}/`));
    return isDirectory ? refuse(406, 'directory') : refuse(404, 'no such file');
  }

  function route(request: UpstreamRequest): Reply {
    const path = decodeURIComponent(request.path.slice(site.length));
    if (path === '') return answerJson({ client: {} });
    if (path === '/jobs') return request.method === 'POST' ? create(request) : list(request);
    return routeJob(path) ?? routeFiles(path, request) ?? refuse(404, 'not found');
  }

  function routeJob(path: string): Reply | undefined {
    const [, id = '', action] = /^\/jobs\/([\w-]+)(?:\/actions\/(\w+))?$/.exec(path) ?? [];
    const job = jobs.get(id);
    if (job) return action ? act(job, action) : show(job);
    return undefined;
  }

  function routeFiles(path: string, request: UpstreamRequest): Reply | undefined {
    const [, id = '', file = ''] = /^\/storages\/([\w-]+)-uspace\/files\/(.*)$/.exec(path) ?? [];
    const job = jobs.get(id);
    return job && serveFiles(job, file, request);
  }

  const upstream = await startUpstream((request) => {
    const session = request.headers['x-unicore-securitysession'];
    if (session !== undefined && !sessions.has(String(session))) return refuse(432, 'no session');
    if (session === undefined && request.headers.authorization !== server.authorization) {
      return refuse(401, 'who are you?');
    }
    const known = session === undefined ? randomUUID() : String(session);
    sessions.add(known);
    const reply = route(request);
    return { ...reply, headers: { ...reply.headers, 'X-UNICORE-SecuritySession': known } };
  });
  const server: UnicoreServer = {
    ...upstream,
    baseUrl: `${upstream.url}${site}`,
    jobs,
    authorization: 'Bearer right',
    forgetSessions: () => sessions.clear(),
  };
  return server;
}

/** One level: a path below `directory`, or the name of the directory that it lies in. */
function listFiles({ files }: UnicoreServerJob, directory: string): Reply {
  const content: Record<string, unknown> = {};
  const prefix = directory === '' ? '' : `${directory}/`;
  for (const [path, { length }] of files) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...below] = path.slice(prefix.length).split('/');
    if (below.length > 0) content[`/${prefix}${name}/`] = { isDirectory: true, size: 4096 };
    else content[`/${prefix}${name}`] = { isDirectory: false, size: length };
  }
  return answerJson({ content });
}
