import packageFile from '../../package.json' with { type: 'json' };

/**
 * What runs: what package.json says. A bundle holds, in the place of this file, the same with the
 * commit that it was built from (lib/stand-ins/running-version.ts).
 */
export const runningVersion: string = packageFile.version;
