import { spawnSync } from 'node:child_process';

/** A Unix account of this machine. */
export interface UnixLogin {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds an account, from whatever directory the machine knows them. Returns undefined for root,
 * too: jobs of users never run as root.
 */
export function findLogin(login: string): UnixLogin | undefined {
  const { stdout } = spawnSync('getent', ['passwd', '--', login], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin' },
  });
  const [name, , uid, gid] = (stdout ?? '').trim().split(':');
  if (name !== login || !isNumber(uid) || !isNumber(gid)) return undefined;
  return Number(uid) === 0 || Number(gid) === 0
    ? undefined
    : { uid: Number(uid), gid: Number(gid) };
}

const isNumber = (text: string | undefined) => text !== undefined && /^[0-9]+$/.test(text);
