import { generateKeyPairSync } from 'node:crypto';
import { createIssuer } from '#local/issuer.ts';

/** Whose tokens the functions of a test file trust. */
export const issuer = createIssuer(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
