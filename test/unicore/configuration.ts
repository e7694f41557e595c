import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Certificates } from './certificates.ts';

export interface Configuration {
  readonly directory: string;
  /** Where the server listens. */
  readonly port: number;
  /** What all links in its answers begin with. */
  readonly externalUrl: string;
  readonly certificates: Certificates;
  readonly user: string;
  readonly password: string;
  readonly accounts: readonly string[];
  readonly jobLimit: number;
}

/** Below the server's directory: a directory for each job, by the job's id. */
export const jobDirectories = 'jobs';

/** Writes all that the server reads. Returns the file that is its only argument. */
export async function configure(configuration: Configuration): Promise<string> {
  const { directory, user, password, accounts } = configuration;
  const own = (name: string) => join(directory, name);
  for (const name of ['state', 'storages', jobDirectories]) await mkdir(own(name));
  const name = `CN=${user}`;
  const salt = 'salt';
  const hash = createHash('md5').update(`${salt}${password}`).digest('hex');
  await writeFile(own('users'), `${user}:${hash}:${salt}:${name}\n`, { mode: 0o600 });
  const attributes = { [name]: { role: ['user'], xlogin: accounts } };
  await writeFile(own('attributes.json'), JSON.stringify(attributes));
  await writeFile(own('partitions.json'), JSON.stringify(partitions));
  const lines = Object.entries(listProperties(configuration, own));
  const file = own('unicorex.properties');
  await writeFile(file, lines.map(([key, value]) => `${key}=${value}\n`).join(''));
  return file;
}

/** A number is `least-most:default`. */
const partitions = {
  Partitions: {
    batch: {
      Description: 'The only one.',
      IsDefaultPartition: 'true',
      Resources: { Runtime: '1-86400:3600', Nodes: '1-4:1', CPUsPerNode: '1-8:1' },
    },
  },
};

function listProperties(
  { port, externalUrl, certificates, jobLimit }: Configuration,
  own: (name: string) => string,
): Record<string, string> {
  const security = 'container.security';
  return {
    'container.externalurl': externalUrl,
    'container.host': '127.0.0.1',
    'container.port': String(port),
    'container.sitename': 'SLIPWAY',
    'persistence.directory': own('state'),
    'container.httpServer.requireClientAuthn': 'false',
    'container.httpServer.fastRandom': 'true',
    'container.externalregistry.use': 'false',
    [`${security}.sslEnabled`]: 'true',
    [`${security}.gateway.enable`]: 'false',
    [`${security}.accesscontrol.pdp`]: 'eu.unicore.services.security.pdp.DefaultPDP',
    [`${security}.truststore.type`]: 'directory',
    [`${security}.truststore.directoryLocations.1`]: certificates.caFile,
    [`${security}.credential.format`]: 'pkcs12',
    [`${security}.credential.path`]: certificates.credentialFile,
    [`${security}.credential.password`]: certificates.credentialPassword,
    [`${security}.rest.authentication.order`]: 'FILE',
    [`${security}.rest.authentication.FILE.class`]:
      'eu.unicore.services.rest.security.FilebasedAuthenticator',
    [`${security}.rest.authentication.FILE.file`]: own('users'),
    [`${security}.attributes.order`]: 'FILE',
    [`${security}.attributes.FILE.class`]: 'eu.unicore.services.aip.file.FileAttributeSource',
    [`${security}.attributes.FILE.file`]: own('attributes.json'),
    'coreServices.sms.enabledFactories': 'DEFAULT',
    'coreServices.sms.factory.DEFAULT.path': own('storages'),
    'coreServices.targetsystemfactory.tsiMode': 'embedded',
    'XNJS.filespace': own(jobDirectories),
    'XNJS.idbfile': own('partitions.json'),
    'XNJS.localtsi.useShell': 'true',
    'XNJS.localtsi.jobLimit': String(jobLimit),
  };
}
