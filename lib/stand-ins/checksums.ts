/**
 * For `@smithy/core/checksum`: requests are signed with Node's own SHA-256. The SDK brings one
 * written in JavaScript for where there is none, and checksums that only S3 and event streams ask for.
 */
export { Sha256 } from '#lib/outbound/sha256.ts';
