import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** The whole address of a path, as this client reaches the service. */
export function addressAt(event: APIGatewayProxyEventV2, path: string): string {
  const scheme = event.headers['x-forwarded-proto'] ?? 'https';
  return `${scheme}://${event.requestContext.domainName}${path}`;
}
