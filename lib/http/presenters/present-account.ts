import type { Login } from '#lib/users/logins/login.ts';
import type { Mapped } from '#lib/users/logins/map-login.ts';

export function presentAccount({ user, hpc, name }: Login) {
  return { user, hpc, account: name };
}

export function presentMapped({ login, outcome }: Mapped) {
  return { outcome, ...presentAccount(login) };
}

export function accountLocation({ user, hpc }: Login): string {
  return `/admin/users/${user}/accounts/${hpc}/`;
}
