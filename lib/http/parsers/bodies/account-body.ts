import * as v from 'valibot';
import { judgeLoginName } from '#lib/users/logins/login.ts';
import { jsonBody } from './json-body.ts';
import { reason } from './reason-body.ts';

/** The name of a user's own account on a system. */
export const account = v.pipe(
  v.string('It must be text.'),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? judgeLoginName(dataset.value) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  }),
);

export const accountBody = jsonBody(
  v.pipe(
    v.object({ account, reason }),
    v.transform(({ account: name, reason }) => ({ name, reason })),
  ),
);
