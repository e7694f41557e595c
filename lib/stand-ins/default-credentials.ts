/**
 * For `@aws-sdk/credential-provider-node`: of its chain the first link alone, in the SDK's own
 * words. Lambda gives credentials in the environment, and a function that finds none there must
 * not look for profiles, single sign-on or the metadata of a machine.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
