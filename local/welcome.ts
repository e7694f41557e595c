import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { OwnIssuer } from './own-issuer.ts';
import type { Service } from './start-service.ts';

const demoUser = '306328';
const demoAdministrator = '100001';

/** Writes the welcome: the console, the address, two tokens, and three lines to paste. */
export function welcome(
  service: Service,
  settings: { readonly DATA_DIR: string },
  [system]: readonly HpcSystem[],
): string {
  const { url, consoleUrl, issuer } = service;
  const token = issuer.issueToken({ user: demoUser });
  const adminToken = issuer.issueToken({ user: demoAdministrator, administrator: true });
  return `
Open the console: ${consoleUrl}

Slipway is running at ${url}   (Ctrl-C stops it; data: ${settings.DATA_DIR})
Its API, to read: ${url}/docs/   for programs: ${url}/openapi.json

Token of user ${demoUser}, for 12 hours:
${token}

Token of an administrator, for 12 hours:
${adminToken}

Paste one:

# what the user has left
curl -sw '\\n' ${url}/quotas/ -H 'Authorization: Bearer ${token}'

# submit a job
curl -sw '\\n' -X POST ${url}/jobs/${system?.name}/ -H 'Authorization: Bearer ${token}' -H 'Content-Disposition: attachment; filename=job_file.zip' -H 'Payload: ${system && writePayload(system)}'

# the user's quotas, as an administrator sees them
curl -sw '\\n' ${url}/admin/quotas/${demoUser}/ -H 'Authorization: Bearer ${adminToken}'

`;
}

/** Writes the welcome of a service whose users sign in at an issuer of their own. */
export function welcomeGroup(
  { url, consoleUrl }: Service,
  { ISSUER }: OwnIssuer['identity'],
  settings: { readonly DATA_DIR: string },
): string {
  return `
Open the console: ${consoleUrl}

Slipway is running at ${url}   (data: ${settings.DATA_DIR})
Users sign in at ${ISSUER}. No tokens are made here.

`;
}

/** Writes a job that every system accepts. */
function writePayload({ program, limits }: HpcSystem): string {
  const example = program.field === 'command' ? 'ls -lisa' : 'NEURON74_TG';
  return JSON.stringify({
    [program.field]: example.slice(0, program.maxLength),
    node_number: String(Math.min(2, limits.nodes)),
    core_number: String(Math.min(6, limits.coresPerNode)),
    runtime: '2.0',
    title: 'a job title',
  });
}

/** Too short for people to notice, but saves a busy service most of its writes. */
const gatheredMs = 30;

interface Lines {
  write(text: string): void;
  /** Writes the remaining lines, before the process ends. */
  flush(): void;
}

/** Combines lines that follow each other quickly into one write. */
export function gatherLines(print: (text: string) => void): Lines {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') print(waiting);
    waiting = '';
  };
  return {
    write(text) {
      waiting += text;
      timer ??= setTimeout(flush, gatheredMs);
    },
    flush,
  };
}
