import { randomBytes } from 'node:crypto';
import {
  type Reply,
  startUpstream,
  type Upstream,
  type UpstreamRequest,
} from './start-upstream.ts';

export interface NsgServerJob {
  readonly handle: string;
  readonly user: string;
  /** The fields of the form; a file by its name and text. */
  readonly form: Readonly<Record<string, string>>;
  stage: string;
  terminal: boolean;
  failed: boolean;
  messages: { timestamp: string; stage: string; text: string }[];
  /** Results after the end; by the number of the document. */
  readonly output: Map<number, { name: string; text: string | Uint8Array }>;
  /** Files while the job runs; absent while it is not staged. */
  workingDirectory?: Map<string, string | Uint8Array>;
}

/** Runs the tool of each job, and changes the job as it does. */
export interface NsgRunner {
  take(job: NsgServerJob, input: Uint8Array): void;
  drop(job: NsgServerJob): void;
}

export interface NsgServer extends Upstream {
  readonly baseUrl: string;
  readonly jobs: Map<string, NsgServerJob>;
  /** What the server takes for credentials. */
  password: string;
}

const base = '/cipresrest/v1';
export const appkey = 'demoapp-0123456789';
const knownFields =
  /^(tool|input\.infile_|vparam\.(runtime|number_nodes|number_cores|filename|pythonoption)_|metadata\.(clientJobId|clientJobName|statusEmail))$/;

function answerXml(body: string, status = 200): Reply {
  return { status, headers: { 'Content-Type': 'application/xml' }, body };
}

export function refuse(status: number, code: number, detail = ''): Reply {
  return answerXml(
    `<error><displayMessage>no</displayMessage><message>detail</message><code>${code}</code>${detail}</error>`,
    status,
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function showStatus(job: NsgServerJob): string {
  const messages = job.messages.map(
    ({ timestamp, stage, text }) =>
      `<message><timestamp>${timestamp}</timestamp><stage>${stage}</stage><text>${escapeXml(text)}</text></message>`,
  );
  const metadata = Object.entries(job.form)
    .filter(([name]) => name.startsWith('metadata.'))
    .map(
      ([name, value]) =>
        `<entry><key>${name.slice(9)}</key><value>${escapeXml(value)}</value></entry>`,
    );
  return `<jobstatus>
  <selfUri><url>https://nsgr.example/job/${job.user}/${job.handle}</url><rel>jobstatus</rel></selfUri>
  <jobHandle>${job.handle}</jobHandle><jobStage>${job.stage}</jobStage>
  <terminalStage>${job.terminal}</terminalStage><failed>${job.failed}</failed>
  <metadata>${metadata.join('')}</metadata>
  <dateSubmitted>2026-01-05T09:00:00-08:00</dateSubmitted>
  <messages>${messages.join('')}</messages>
  <minPollIntervalSeconds>60</minPollIntervalSeconds></jobstatus>`;
}

/** All that a list tells of a job unless it is expanded. */
function showHandle({ handle }: NsgServerJob): string {
  return `<jobstatus><jobHandle>${handle}</jobHandle></jobstatus>`;
}

function showFile(name: string, length: number, id: number): string {
  return `<jobfile><filename>${escapeXml(name)}</filename><length>${length}</length><outputDocumentId>${id}</outputDocumentId></jobfile>`;
}

async function readForm({ body, headers }: UpstreamRequest) {
  const type = headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'Content-Type': type } }).formData();
  const fields: Record<string, string> = {};
  let input: Uint8Array = new Uint8Array();
  for (const [name, value] of form) {
    fields[name] = typeof value === 'string' ? value : `${value.name}: ${await value.text()}`;
    if (typeof value !== 'string') input = await value.bytes();
  }
  return { fields, input };
}

/** The user that the end user's headers make, if they are complete. */
function nameUser({ headers }: UpstreamRequest): string | undefined {
  const ends = ['-email', '-institution', '-country'];
  const complete = ends.every((end) => headers[`cipres-eu${end}`]);
  return complete ? `demoapp.${headers['cipres-eu']}` : undefined;
}

/** The CIPRES REST interface as far as Slipway uses it, with its state in memory. */
export async function startNsgServer(runner?: NsgRunner): Promise<NsgServer> {
  const jobs = new Map<string, NsgServerJob>();

  async function submit(request: UpstreamRequest, user: string, validate: boolean): Promise<Reply> {
    const { fields: form, input } = await readForm(request);
    if (Object.keys(form).some((name) => !knownFields.test(name))) return refuse(400, 7);
    const problems = Object.entries({
      runtime_: Number(form['vparam.runtime_']) > 48 && 'must be 48 &lt; or less',
      infile_: form['input.infile_'] === undefined && 'is required',
    }).flatMap(([name, problem]) =>
      problem ? [`<paramError><param>${name}</param><error>${problem}</error></paramError>`] : [],
    );
    if (problems.length > 0) return refuse(400, 5, problems.join(''));
    if (validate) return answerXml('<jobstatus><commandline>python</commandline></jobstatus>');
    const handle = `NGBW-JOB-${form.tool}-${randomBytes(16).toString('hex').toUpperCase()}`;
    const job = { handle, user, form, stage: 'QUEUE', terminal: false, failed: false };
    const taken: NsgServerJob = { ...job, messages: [], output: new Map() };
    jobs.set(handle, taken);
    runner?.take(taken, input);
    return answerXml(showStatus(taken));
  }

  function listJobs(found: (NsgServerJob | undefined)[], show = showStatus): Reply {
    // One bad handle fails the whole call.
    if (found.includes(undefined)) return refuse(404, 4);
    const all = found.map((job) => job && show(job)).join('');
    return answerXml(
      `<?xml version="1.0"?><joblist><title>Jobs</title><jobs>${all}</jobs></joblist>`,
    );
  }

  function serveJob(job: NsgServerJob, method: string, place?: string, name = ''): Reply {
    if (method === 'DELETE') {
      jobs.delete(job.handle);
      runner?.drop(job);
      return { status: 204 };
    }
    if (place === 'output') return serveOutput(job, name);
    if (place === 'workingdir') return serveWorkingDirectory(job, name);
    return answerXml(showStatus(job));
  }

  async function route(request: UpstreamRequest): Promise<Reply> {
    const parts = request.path.slice(base.length).split('/').slice(1).map(decodeURIComponent);
    const [area, user = ''] = parts;
    if (area === 'tool')
      return answerXml('<tools><tool><toolId>PY_EXPANSE</toolId></tool></tools>');
    if (user === '') return listJobs(request.query.getAll('jh').map((handle) => jobs.get(handle)));
    if (user !== nameUser(request)) return refuse(403, 1);
    return routeUser(request, user, parts.slice(2));
  }

  async function routeUser(request: UpstreamRequest, user: string, path: string[]): Promise<Reply> {
    const [handle = '', place, name] = path;
    if (request.method === 'POST') return submit(request, user, handle === 'validate');
    if (handle === '') {
      const own = [...jobs.values()].filter((job) => job.user === user);
      return listJobs(own, request.query.get('expand') === 'true' ? showStatus : showHandle);
    }
    const job = jobs.get(handle);
    if (job?.user !== user) return refuse(404, job ? 6 : 4);
    return serveJob(job, request.method, place, name);
  }

  const upstream = await startUpstream((request) => {
    const { authorization } = request.headers;
    const basic = Buffer.from(`registrant:${server.password}`).toString('base64');
    const known = authorization === `Basic ${basic}` && request.headers['cipres-appkey'] === appkey;
    return known ? route(request) : refuse(401, 2);
  });
  const server: NsgServer = {
    ...upstream,
    baseUrl: `${upstream.url}${base}`,
    jobs,
    password: 'right',
  };
  return server;
}

function serveOutput({ output, terminal }: NsgServerJob, name: string): Reply {
  const file = output.get(Number(name));
  if (name !== '') return file ? { status: 200, body: file.text } : refuse(404, 4);
  const files = terminal ? [...output] : [];
  const all = files.map(([id, { name: title, text }]) => showFile(title, text.length, id));
  return answerXml(`<results><jobfiles>${all.join('')}</jobfiles></results>`);
}

function serveWorkingDirectory({ workingDirectory }: NsgServerJob, name: string): Reply {
  if (!workingDirectory) return { status: 404, body: 'not staged' };
  const text = workingDirectory.get(name);
  if (name !== '') return text === undefined ? refuse(404, 4) : { status: 200, body: text };
  const all = [...workingDirectory].map(([title, bytes]) => showFile(title, bytes.length, 0));
  return answerXml(`<workingdir><jobfiles>${all.join('')}</jobfiles></workingdir>`);
}
