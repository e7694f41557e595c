/** What the laptop edition calls its own table, buckets, bus and issuer. */
export const tableName = 'slipway';
export const inputsBucket = 'slipway-inputs';
export const resultsBucket = 'slipway-results';
export const busName = 'slipway';
export const issuer = 'https://slipway.localhost';
export const audience = 'slipway';
