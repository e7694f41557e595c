import * as v from 'valibot';
import { runtimes } from './containers.ts';
import { filledListOf, matching, optional, section, trueOrFalse, wholeNumber } from './forms.ts';
import type { SettingsDraft, SystemDraftContext, SystemKind } from './system-kind.ts';

/** `{init_file}` in a command stands for a field of the submission, `{init_file?}` for one that may be missing. */
const placeholderForm = /\{([^{}]*?)(\?)?\}/g;

/**
 * Quotes and backslashes are refused because each value is quoted for the shell already. Inside a
 * second pair of quotes it would end them.
 */
const template = matching(
  /^[ !#-&(-[\]-_a-~]{1,1000}$/,
  'a command of one line in ASCII, without quotes, backslashes and backticks',
);

const absolutePath = matching(
  /^(\/(?!\.{1,2}(\/|$))[ -.0-\uFFFF]+)+$/,
  'an absolute path without a slash at its end',
);

const toolName = matching(
  /^[A-Z0-9_]{1,64}$/,
  'a name of up to 64 upper-case letters, digits and underscores',
);

/** The machine that the laptop edition runs on. It imitates other kinds, so its words are the catalog's. */
export const machine = {
  settings: section({
    kind: v.literal('machine'),
    cores: optional(
      wholeNumber(1, 100_000),
      'How many cores the jobs of this system may use together (default: all of the machine).',
    ),
    memoryMegabytes: optional(
      wholeNumber(16, 1_000_000_000),
      'How much memory the jobs of this system may use together, in megabytes (default: all of the machine). Each job gets a share by its cores.',
    ),
    maxProcesses: optional(
      wholeNumber(1, 1_000_000),
      'How many processes and threads a job may have (default: 4096).',
    ),
    tools: optional(
      v.record(toolName, template, 'an object with a command for each tool'),
      'The commands of the tools, such as "python3 {init_file}". {init_file} stands for an extra field of the submission, {init_file?} for one that may be missing.',
    ),
    sandbox: optional(
      v.picklist(['bubblewrap', 'none'], '"bubblewrap" or "none"'),
      '"bubblewrap" runs each job in a sandbox, where it sees the programs of the system and its own folders and nothing else. Default: "bubblewrap" on a service for a group whose jobs all run as its own account, otherwise "none".',
    ),
    readable: optional(
      filledListOf(absolutePath, 'a list of absolute paths'),
      'Files and folders that jobs in a sandbox can also read, such as data sets and installed software.',
    ),
    network: optional(
      trueOrFalse(),
      'Whether jobs in a sandbox can reach the network (default: false).',
    ),
  }),
  judgeSettings: (settings: SettingsDraft, system: SystemDraftContext) => [
    ...judgeOpenings(settings),
    ...judgeTools(settings, system),
  ],
  stages: {},
  offers: ['memoryPerNode', 'classes', 'datasets', 'keep', 'outputs'],
  runtimes,
  runtimeUnitSeconds: 1,
  simulated: false,
  runsAs: ['service', 'mapped'],
  sendsResults: false,
  countsCancelledTime: true,
  cancelKeepsOutput: true,
  checkedAtStart: true,
} as const satisfies SystemKind;

/**
 * Replaces each placeholder of a command. All are replaced in one pass, so that a value that looks
 * like a placeholder stays as it is.
 */
export function fillPlaceholders(
  command: string,
  fill: (field: string, isOptional: boolean) => string,
): string {
  return command.replaceAll(placeholderForm, (_, field: string, mark: string | undefined) =>
    fill(field, mark !== undefined),
  );
}

/** Without a sandbox every job reaches the network and reads all files, whatever the catalog says. */
function judgeOpenings({ texts, flags, lists }: SettingsDraft) {
  if (texts.sandbox === 'bubblewrap') return [];
  const given = { network: flags.network, readable: lists.readable };
  return Object.entries(given).flatMap(([setting, value]) => {
    if (value === undefined) return [];
    const text = `is ${value}, but only a sandbox keeps jobs from the network and from files; add "sandbox": "bubblewrap", or leave it out`;
    return [{ setting, text }];
  });
}

function judgeTools({ tables: { tools } }: SettingsDraft, { program, fields }: SystemDraftContext) {
  const setting = 'tools';
  if (program === 'command' && tools) {
    const text = 'can stand there only with "program": { "field": "tool", ... }; leave it out';
    return [{ setting, text }];
  }
  if (program !== 'tool') return [];
  if (!tools || Object.keys(tools).length === 0) {
    const text =
      'is missing; name the tools of this system, such as { "PYTHON": "python3 {init_file}" }';
    return [{ setting, text }];
  }
  return Object.entries(tools).flatMap(([tool, command]) =>
    [...command.matchAll(placeholderForm)]
      .filter(([, field = '']) => !fields.includes(field))
      .map(([found]) => {
        const known = fields.length === 0 ? 'there are none' : fields.join(', ');
        const text = `has ${found} in ${tool}, which is not one of extraFields (${known})`;
        return { setting, text };
      }),
  );
}
