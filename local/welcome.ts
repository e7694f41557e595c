import type { Service } from './start-service.ts';

const demoUser = '306328';
const demoAdministrator = '100001';

/** What a newcomer needs: the address, two tokens, and three lines to paste. */
export function welcome(service: Service, settings: { readonly DATA_DIR: string }): string {
  const { url, issuer } = service;
  const token = issuer.issueToken({ user: demoUser });
  const adminToken = issuer.issueToken({ user: demoAdministrator, administrator: true });
  const payload = JSON.stringify({
    command: 'ls -lisa',
    node_number: '2',
    core_number: '6',
    runtime: '2.0',
    title: 'a job title',
  });
  return `
Slipway is running at ${url}   (Ctrl-C stops it; data: ${settings.DATA_DIR})

Token of user ${demoUser}, for 12 hours:
${token}

Token of an administrator, for 12 hours:
${adminToken}

Paste one:

# what the user has left
curl -sw '\\n' ${url}/quotas/ -H 'Authorization: Bearer ${token}'

# submit a job
curl -sw '\\n' -X POST ${url}/jobs/hpc_one/ -H 'Authorization: Bearer ${token}' -H 'Content-Disposition: attachment; filename=job_file.zip' -H 'Payload: ${payload}'

# the user's quotas, as an administrator sees them
curl -sw '\\n' ${url}/admin/quotas/${demoUser}/ -H 'Authorization: Bearer ${adminToken}'

`;
}
