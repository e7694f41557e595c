import * as v from 'valibot';
import { address, field, section, text } from './forms.ts';
import type { SystemKind } from './system-kind.ts';

/** The Neuroscience Gateway, or another gateway with the CIPRES REST interface. */
export const nsg = {
  settings: section({
    kind: v.literal('nsg'),
    baseUrl: field(address, "The address of NSG's REST interface."),
    endUsers: field(
      section({
        emailDomain: field(text(255), 'The domain of the email addresses that NSG gets for users.'),
        institution: field(text(255), 'The institution that NSG gets for users.'),
        country: field(text(255), 'The country that NSG gets for users.'),
      }),
      'Facts that NSG requires about the users of jobs.',
    ),
  }),
  stages: {
    QUEUE: 'waiting',
    COMMANDRENDERING: 'starting',
    INPUTSTAGING: 'starting',
    SUBMITTED: 'running',
    LOAD_RESULTS: 'finishing',
    COMPLETED: 'done',
  },
  program: 'tool',
  // NSG takes decimal hours for batch systems that count minutes. 0.05 h is the shortest time that
  // both can write exactly.
  runtimeUnitSeconds: 180,
  simulated: false,
  // NSG tells its end users apart by itself.
  runsAs: ['service'],
  credentials: {
    service: { username: 'slipway', password: '<password>', appkey: '<application key>' },
  },
  sendsResults: false,
  keepsJobs: true,
  // A tool gets the files of its zip and nothing else.
  serviceFetches: true,
  // NSG forgets a job that it cancels, with its files.
  countsCancelledTime: false,
  cancelKeepsOutput: false,
} as const satisfies SystemKind;
