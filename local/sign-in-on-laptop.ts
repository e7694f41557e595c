import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as v from 'valibot';
import type { ApiResponse } from '#lib/http/respond.ts';
import { isSubject } from '#lib/users/identity.ts';
import { isSameKey } from './credentials/sign-in-key.ts';
import type { Issuer } from './issuer.ts';
import { sampleName } from './sample-names.ts';

const path = '/local/token';
const hours = 12;

const Wish = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({
    user: v.custom<string>(isSubject, 'It must have 1 to 255 characters.'),
    administrator: v.optional(v.boolean(), false),
  }),
);

export interface LaptopSignIn {
  readonly issuer: Issuer;
  /** Whoever shows this key may sign in as any user. */
  readonly key: string;
}

/**
 * Serves `POST /local/token`. The key keeps out other users of this machine. Three more checks keep
 * out pages of other sites: the Host header must name this machine, forms cannot send JSON, and
 * browsers send the `Origin` of the page.
 */
export function signInOnLaptop(
  { issuer, key }: LaptopSignIn,
  event: APIGatewayProxyEventV2,
): ApiResponse | undefined {
  if (event.rawPath !== path) return undefined;
  const { host = '', origin, 'content-type': type = '', 'slipway-key': given = '' } = event.headers;
  const isOurs = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host);
  if (!isOurs || (origin !== undefined && origin !== `http://${host}`)) {
    return refuse(403, 'Only this machine can sign in here.');
  }
  if (event.requestContext.http.method !== 'POST' || !type.startsWith('application/json')) {
    return refuse(
      405,
      'Send a POST with a JSON object: {"user": "306328", "administrator": false}.',
    );
  }
  if (!isSameKey(key, given)) {
    return refuse(
      401,
      'Signing in needs the key of this service. Open the address that npm start printed, or run npm run token in the same folder.',
    );
  }
  const wish = v.safeParse(Wish, event.body ?? '');
  if (!wish.success) return refuse(400, wish.issues.map(({ message }) => message).join(' '));
  const { user, administrator } = wish.output;
  const token = issuer.issueToken({
    user,
    administrator,
    claims: { name: sampleName(user) },
    hours,
  });
  return respond(200, { access_token: token, expires_in: hours * 3600 });
}

function refuse(status: number, message: string): ApiResponse {
  return respond(status, { message });
}

function respond(statusCode: number, body: object): ApiResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
