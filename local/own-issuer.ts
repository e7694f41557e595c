import { isIP } from 'node:net';
import * as v from 'valibot';
import { type ConsoleClient, describeSignIn } from '#console/serving/describe-sign-in.ts';
import { IdentityEnvironment, type IdentityInput, readEnvironment } from '#lib/config.ts';

/** The identity provider of a group. With it, the local sign-in is off. */
export interface OwnIssuer {
  readonly identity: IdentityInput;
  readonly console: ConsoleClient;
}

const text = v.pipe(v.string(), v.minLength(1));

const GroupEnvironment = v.object({
  ...v.partial(IdentityEnvironment).entries,
  /** The public client by which the issuer knows the console. */
  CONSOLE_CLIENT_ID: v.optional(text),
  CONSOLE_SCOPE: v.optional(text, 'openid'),
  /** The public client by which the issuer knows the command. */
  COMMAND_CLIENT_ID: v.optional(text),
  /** Address to listen on, if the TLS proxy runs on another machine. */
  LISTEN: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => isIP(text) !== 0),
    ),
    '127.0.0.1',
  ),
  PUBLIC_URL: v.optional(v.string()),
  DYNAMODB_PORT: v.optional(v.string()),
});

export interface GroupSettings {
  readonly listen: string;
  readonly ownIssuer?: OwnIssuer;
}

/**
 * Reads the settings of a service for a group. Throws a sentence for each combination that would
 * lock everybody out, or let in too many.
 */
export function readGroupSettings(): GroupSettings {
  const settings = readEnvironment(GroupEnvironment);
  const { ISSUER, AUDIENCE, CONSOLE_CLIENT_ID, CONSOLE_SCOPE, LISTEN: listen } = settings;
  const { COMMAND_CLIENT_ID } = settings;
  if (ISSUER === undefined) {
    refuseIf(
      [AUDIENCE, CONSOLE_CLIENT_ID, COMMAND_CLIENT_ID].some((value) => value !== undefined),
      'AUDIENCE, CONSOLE_CLIENT_ID and COMMAND_CLIENT_ID belong to an issuer of your own. Set ISSUER too, or unset them.',
    );
    refuseOthers(listen);
    return { listen };
  }
  if (AUDIENCE === undefined || CONSOLE_CLIENT_ID === undefined) {
    throw new Error(
      'ISSUER also needs AUDIENCE, which its tokens name, and CONSOLE_CLIENT_ID, the public client by which it knows the console: docs/on-premises.md.',
    );
  }
  refuseIf(
    !/^https:\/\/[^/]/.test(ISSUER),
    `ISSUER=${ISSUER} must be an https address: without TLS, anybody on the network could replace its keys.`,
  );
  refuseIf(
    !isLoopback(listen) && settings.PUBLIC_URL === undefined,
    `LISTEN=${listen} needs PUBLIC_URL, the address that people use. Requests to any other name are refused.`,
  );
  refuseIf(
    settings.DYNAMODB_PORT !== undefined,
    'DYNAMODB_PORT opens the table to every program of this machine. Unset it, because this service has an issuer of its own.',
  );
  return {
    listen,
    ownIssuer: {
      identity: { ...settings, ISSUER, AUDIENCE },
      console: { clientId: CONSOLE_CLIENT_ID, scope: CONSOLE_SCOPE },
    },
  };
}

/** Throws if other machines can reach this address, and no issuer says who may. */
export function refuseOthers(address: string, ownIssuer?: OwnIssuer): void {
  refuseIf(
    ownIssuer === undefined && !isLoopback(address),
    `Other machines can reach ${address}, so the service needs an issuer of your own (ISSUER) to listen there: docs/on-premises.md.`,
  );
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw new Error(message);
}

/** Describes the sign-in to the console, and names the origins that it connects to. */
export function describeConsole(ownIssuer: OwnIssuer | undefined) {
  if (!ownIssuer) return { config: { api: '', signIn: 'laptop' } as const, origins: [] };
  const { config, origins } = describeSignIn(ownIssuer.console, ownIssuer.identity);
  return { config: { api: '', ...config }, origins };
}
