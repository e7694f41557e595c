import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What happens to the bytes: the servers around it keep none of them. */
export interface LargeFiles {
  /** What the result of a job has. */
  readonly resultBytes: number;
  receive(upload: IncomingMessage): Promise<void>;
  send(response: ServerResponse): Promise<void>;
}

export interface LargeFileServer {
  readonly baseUrl: string;
  close(): void;
}

/** As much of an HPC system as moves one input in and one result out: one job, always the same. */
type Answer = (files: LargeFiles, base: string) => (call: Call) => Promise<unknown>;

interface Call {
  /** `METHOD /path` below the base. */
  readonly name: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export function startLargeUnicore(files: LargeFiles): Promise<LargeFileServer> {
  return start('/SITE/rest/core', files, answerUnicore);
}

export function startLargeNsg(files: LargeFiles): Promise<LargeFileServer> {
  return start('/cipresrest/v1', files, answerNsg);
}

const answerUnicore: Answer = (files, base) => {
  const workingDirectory = { href: `${base}/storages/1-uspace` };
  const job = { status: 'READY', tags: [], _links: { workingDirectory } };
  const content = { '/job/result': { isDirectory: false, size: files.resultBytes } };
  return async ({ name, request, response }) => {
    if (name.startsWith('PUT /storages/')) {
      await files.receive(request);
      return response.writeHead(204).end();
    }
    if (name === 'GET /storages/1-uspace/files/job/result') return files.send(response);
    request.resume();
    if (name === 'POST /jobs') return response.writeHead(201, { location: `${base}/jobs/1` }).end();
    if (name.startsWith('POST')) return response.writeHead(204).end();
    if (name === 'GET /jobs/1') return response.end(JSON.stringify(job));
    if (name === 'GET /storages/1-uspace/files/job')
      return response.end(JSON.stringify({ content }));
    if (name === 'GET /storages/1-uspace') return response.end('{"resourceStatus":"READY"}');
    return response.end(JSON.stringify({ jobs: [] }));
  };
};

const answerNsg: Answer = (files) => {
  const status =
    '<jobstatus><jobHandle>1</jobHandle><terminalStage>true</terminalStage></jobstatus>';
  const results =
    '<results><jobfiles><jobfile><filename>result</filename>' +
    `<length>${files.resultBytes}</length><outputDocumentId>7</outputDocumentId>` +
    '</jobfile></jobfiles></results>';
  return async ({ name, request, response }) => {
    if (name.startsWith('POST')) {
      await files.receive(request);
      return response.end(status);
    }
    if (name.endsWith('/output/7')) return files.send(response);
    return response.end(name.endsWith('/output') ? results : status);
  };
};

async function start(path: string, files: LargeFiles, answer: Answer): Promise<LargeFileServer> {
  const server = createServer((request, response) => {
    const [address = ''] = (request.url ?? '').split('?');
    const name = `${request.method} ${address.slice(path.length)}`;
    // Whoever hangs up does so on purpose here.
    serve({ name, request, response }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  const baseUrl = `http://127.0.0.1:${address.port}${path}`;
  const serve = answer(files, baseUrl);
  return {
    baseUrl,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
