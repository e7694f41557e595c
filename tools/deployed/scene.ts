import type { DomainName } from '#infra/settings/domains.ts';
import type { TakeStep } from '../tell-steps.ts';
import type { Deployment } from './deployment.ts';
import type { Emulator } from './emulator.ts';
import type { Gap } from './gaps.ts';
import type { HttpsFront } from './https-front.ts';

/** Everything that the steps of one run share. */
export interface Scene {
  readonly stage: string;
  /** Settings of the deployment, as arguments of the CDK. */
  readonly settings: readonly string[];
  /** Holds the assemblies, and the logs of emulator and commands. */
  readonly directory: string;
  readonly emulator: Emulator;
  readonly front: HttpsFront;
  readonly deployment: Deployment;
  readonly step: TakeStep;
  say(line: string): void;
  /** Figures and gaps for the end of the transcript. */
  readonly counts: string[];
  readonly gaps: string[];
}

/** The deployed API, with the tokens of two users of its user pool. */
export interface Service {
  readonly api: string;
  readonly token: string;
  readonly administratorToken: string;
}

export const tell = (words: string) => ({ words, result: undefined });

export const dataStack = ({ stage }: Scene) => `slipway-${stage}-data`;
export const serviceStack = ({ stage }: Scene) => `slipway-${stage}-service`;
export const domainStack = ({ stage }: Scene, domain: DomainName) => `slipway-${stage}-${domain}`;

/** The address in the links that the service writes. The front serves it. */
export const addressOf = (api: string) => `https://${api}.execute-api.localhost`;

export function noteGap({ gaps }: Scene, { name, message }: Gap, found: string): void {
  gaps.push(`${name}: ${message} (${found})`);
}
