import { type AnyAccount, systemOf } from '../../browser/address.ts';

/** Names a project as requests do. */
export function placeOf(account: AnyAccount) {
  return { hpc: systemOf(account), project_name: account.project_name };
}
