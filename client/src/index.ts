export { problems, ServiceUnreachable, SlipwayProblem } from './errors.ts';
export type * from './generated/operations.ts';
export type { Paged } from './paged.ts';
export type { Settings } from './settings.ts';
export { createClient, type Slipway } from './slipway.ts';
export type { Submission } from './submit.ts';
export { verifyWebhook } from './verify-webhook.ts';
export type { WaitOptions } from './wait-for.ts';
