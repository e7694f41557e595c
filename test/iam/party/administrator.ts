import { region } from '../../infra/policies/fill-in.ts';

/** fakecloud looks neither at the signature nor at the rights of whoever has this key. */
export const administrator = { accessKeyId: 'test', secretAccessKey: 'test' };

export async function callAsAdministrator(
  service: string,
  address: string,
  { headers = {}, ...request }: { headers?: Record<string, string> } & RequestInit,
): Promise<string> {
  const scope = `${administrator.accessKeyId}/20260101/${region}/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
  const response = await fetch(address, { ...request, headers: { authorization, ...headers } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service}: ${text}`);
  return text;
}

export async function createBucket(endpoint: string, name: string): Promise<void> {
  const place = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
  await callAsAdministrator('s3', `${endpoint}/${name}`, { method: 'PUT', body: place });
}

export async function createBus(endpoint: string, name: string): Promise<void> {
  await callAsAdministrator('events', endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.CreateEventBus',
    },
    body: JSON.stringify({ Name: name }),
  });
}
