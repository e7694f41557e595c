import packageFile from '../../package.json' with { type: 'json' };

/**
 * The version in package.json. In bundles, lib/stand-ins/running-version.ts replaces this file and
 * adds the commit.
 */
export const runningVersion: string = packageFile.version;
