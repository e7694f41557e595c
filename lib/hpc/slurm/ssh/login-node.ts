import { createHash } from 'node:crypto';
import type { ServerHostKeyAlgorithm } from 'ssh2';

/** A host that is reached by ssh, as the catalog names it. */
export interface LoginNode {
  readonly host: string;
  readonly port?: number | undefined;
  readonly user: string;
  /** Lines like `ssh-ed25519 AAAA...`. There is no trust on first use. */
  readonly hostKeys: readonly string[];
}

export interface SshReach extends LoginNode {
  /** The host through which alone the login node is reached. */
  readonly jump?: LoginNode | undefined;
  /** The directory of Slurm's commands, if it is not on the usual path. */
  readonly commands?: string | undefined;
  /** How the service acts for accounts; by sudo, if nothing is said. */
  readonly accounts?: 'sudo' | 'certificate' | undefined;
}

/** Names a host for the log and for operators. */
export function describeNode({ host, port = 22, user }: LoginNode): string {
  return `${user}@${host}:${port}`;
}

export function isPinned({ hostKeys }: LoginNode, shown: Buffer): boolean {
  const key = shown.toString('base64');
  return hostKeys.some((line) => line.split(' ')[1] === key);
}

/** Writes a key as `ssh-keygen -l` does. */
export function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** The signatures by which a host proves each type of key. */
const signatures: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
};

/** Lists what a host may prove itself by, so that one with several keys shows a pinned one. */
export function listSignatures({ hostKeys }: LoginNode): ServerHostKeyAlgorithm[] {
  const types = new Set(hostKeys.map((line) => line.split(' ')[0] ?? ''));
  return [...types].flatMap((type) => signatures[type] ?? []);
}
