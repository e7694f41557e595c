import { account, fillIn } from '../../infra/policies/fill-in.ts';
import { findRoleDocuments } from '../../infra/role-documents.ts';
import type { Templates } from '../../infra/synthesize.ts';
import { callAsAdministrator } from './administrator.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Creates the role of a function as it is synthesized, and takes it on, as Lambda does. */
export function openRole(
  endpoint: string,
  templates: Templates,
  name: string,
): Promise<Credentials> {
  const { documents } = findRoleDocuments(templates, name);
  return takeRole(
    endpoint,
    name,
    documents.map((document) => fillIn(document, templates)),
  );
}

export async function takeRole(
  endpoint: string,
  name: string,
  documents: readonly unknown[],
): Promise<Credentials> {
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' }],
  };
  await administrate(endpoint, 'iam', {
    Action: 'CreateRole',
    RoleName: name,
    AssumeRolePolicyDocument: JSON.stringify(trust),
  });
  for (const [index, document] of documents.entries()) {
    await administrate(endpoint, 'iam', {
      Action: 'PutRolePolicy',
      RoleName: name,
      PolicyName: `policy-${index}`,
      PolicyDocument: JSON.stringify(document),
    });
  }
  const answer = await administrate(endpoint, 'sts', {
    Action: 'AssumeRole',
    RoleArn: `arn:aws:iam::${account}:role/${name}`,
    RoleSessionName: 'tests',
  });
  const told = (field: string) => {
    const value = new RegExp(`<${field}>([^<]+)</${field}>`).exec(answer)?.[1];
    if (value === undefined) throw new Error(`No ${field} of ${name}: ${answer}`);
    return value;
  };
  return {
    accessKeyId: told('AccessKeyId'),
    secretAccessKey: told('SecretAccessKey'),
    sessionToken: told('SessionToken'),
  };
}

function administrate(
  endpoint: string,
  service: 'iam' | 'sts',
  parameters: Readonly<Record<string, string>>,
): Promise<string> {
  return callAsAdministrator(service, endpoint, {
    method: 'POST',
    body: new URLSearchParams(parameters),
  });
}
