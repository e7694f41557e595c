import * as v from 'valibot';
import { filledListOf, matching, optional } from './forms.ts';

/** Lines of the operator, not of users. They run with the rights of the job. */
export const setup = filledListOf(
  matching(/^[^\0\r\n]{1,1000}$/, 'a line of bash, of up to 1000 characters'),
  'a list of at least one line of bash',
);

/** What the cores of a job are for a system that starts tasks. */
export const coresAs = v.picklist(['tasks', 'threads', 'choice'], '"tasks", "threads" or "choice"');

/** Settings of systems on which a script runs around the command: what the command finds. */
export const environmentSettings = {
  shell: optional(
    v.picklist(['login', 'plain'], '"login" or "plain"'),
    'The shell that runs commands. "login" reads the profile of the account first, which defines `module` at most sites; "plain" reads nothing. Default: "login" for mapped accounts, otherwise "plain".',
  ),
  setup: optional(
    setup,
    'Lines of bash that run before each command, such as "module use /opt/modules". Users see them.',
  ),
};
