/**
 * Whether a request names this machine as its host. A name of somebody else's that was rebound to
 * the loopback address shows here, so that no page in a browser reaches what is not made for it.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');
}
