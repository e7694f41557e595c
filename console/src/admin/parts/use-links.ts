import {
  type AnyAccount,
  adminAddress,
  ledAddress,
  systemOf,
  withQuery,
} from '../../browser/address.ts';
import { useSession } from '../../connection/session.ts';

const administrators = {
  person: (user: string, _: AnyAccount) => adminAddress.person(user),
  ledger: adminAddress.ledger,
  project: adminAddress.project,
  job: adminAddress.job,
  jobs: (account: AnyAccount) =>
    withQuery(adminAddress.jobs, { hpc: systemOf(account), project: account.project_name }),
  report: ledAddress.report,
};

/** Leaders see of a person only what they have and do in the project. */
const leaders = { ...ledAddress, person: ledAddress.ledger };

/** Returns the addresses of pages about other users, for administrators or for leaders. */
export function useLinks(): typeof administrators {
  return useSession().administrator ? administrators : leaders;
}
