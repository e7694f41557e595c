import * as v from 'valibot';
import { firstOpenedNumber } from './first-opened-number.ts';
import { nameForm } from './identifiers.ts';
import { lastRenewalDay, renewalPeriods } from './renewal.ts';

/**
 * A catalog as its file holds it (docs/catalog.md). The types of systems and projects are made from
 * this, and so is docs/catalog.schema.json, with the descriptions that an editor shows. Each message
 * ends the sentence "it must be ...", so that one who made a mistake reads what is allowed.
 */

function field<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

function optional<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.exactOptional(field(schema, description));
}

/** An object whose fields are these and no others. Of what is missing its own message is told. */
function section<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries);
  return v.strictObject(entries, ({ expected, path }) => {
    if (expected === 'never') return known.join(', ');
    const missing = entries[String(path?.at(-1)?.key)];
    return missing && 'message' in missing && typeof missing.message === 'string'
      ? missing.message
      : 'an object';
  });
}

function wholeNumber(from: number, to = Number.MAX_SAFE_INTEGER) {
  const bound = to === Number.MAX_SAFE_INTEGER ? '' : ` to ${to}`;
  const message = `a whole number from ${from}${bound}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(from, message),
    v.maxValue(to, message),
  );
}

function matching(form: RegExp, message: string) {
  return v.pipe(v.string(message), v.regex(form, message));
}

function text(maxLength: number) {
  const message = `text of 1 to ${maxLength} characters`;
  return v.pipe(v.string(message), v.minLength(1, message), v.maxLength(maxLength, message));
}

function listOf<const S extends v.GenericSchema>(each: S, message: string) {
  return v.array(each, message);
}

function filledListOf<const S extends v.GenericSchema>(each: S, message: string) {
  return v.pipe(v.array(each, message), v.minLength(1, message));
}

const name = matching(
  nameForm,
  'up to 63 lower-case letters, digits and underscores, with a letter first',
);

const stageWord = matching(
  /^[A-Z][A-Z0-9_]{0,62}$/,
  'a word of up to 63 upper-case letters, digits and underscores, with a letter first',
);

/** No user, no query: an address is no place for a credential. */
const address = matching(
  /^(https:\/\/[^\s/@?#]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?)(\/[^\s@?#]*)?$/,
  'an address that begins with https:// (or http:// on this machine), without a user or a query',
);

const maxLength = field(wholeNumber(1, 8192), 'How many characters it may have.');

const ProjectEntry = section({
  number: field(
    wholeNumber(1, firstOpenedNumber - 1),
    'The record number of the project, `project` in bodies. No two projects of a catalog have the same, and none is ever given to another project. Projects that are opened at run time have higher ones.',
  ),
  name: field(name, 'The name of the project, in paths and bodies.'),
  maxLivingJobs: field(wholeNumber(1), 'How many jobs one user may have living here at once.'),
});

const Program = v.variant(
  'field',
  [
    section({
      field: v.literal('command', '"command" or "tool"'),
      form: field(v.literal('text', '"text" for a command'), 'Any text.'),
      maxLength,
    }),
    section({
      field: v.literal('tool', '"command" or "tool"'),
      form: field(
        v.literal('name', '"name" for a tool'),
        'Letters, digits and underscores, converted to upper case.',
      ),
      maxLength,
    }),
  ],
  '"command" or "tool"',
);

const JobIdForm = v.variant(
  'form',
  [
    section({ form: v.literal('uuid', '"uuid" or "tool-token"') }),
    section({
      form: v.literal('tool-token', '"uuid" or "tool-token"'),
      prefix: field(
        matching(
          /^[A-Z0-9][A-Z0-9_-]{0,29}$/,
          'up to 30 upper-case letters, digits, underscores and hyphens',
        ),
        'What every id begins with; the tool and 32 hexadecimal digits follow.',
      ),
    }),
  ],
  '"uuid" or "tool-token"',
);

const Stages = section({
  first: field(stageWord, 'The stage of a new job: one of `living`.'),
  running: field(stageWord, 'The word for computing, one of `living`: from there on time is used.'),
  living: field(
    filledListOf(stageWord, 'a list of at least one word'),
    'The stages of a job that has not ended, in the order in which a job meets them.',
  ),
  succeeded: field(
    filledListOf(stageWord, 'a list of at least one word'),
    'The stages of a job that has ended well.',
  ),
  failed: field(
    listOf(stageWord, 'a list of words'),
    'The stages of a job that has failed. Where the system has no word of its own, leave it empty: such jobs end like the others, with `failed` true.',
  ),
});

const connectorKinds = '"simulator", "slurm", "unicore" or "nsg"';

const Connector = v.variant(
  'kind',
  [
    section({ kind: v.literal('simulator', connectorKinds) }),
    section({
      kind: v.literal('slurm', connectorKinds),
      baseUrl: field(address, 'Where slurmrestd answers, without a version.'),
      partition: field(text(128), 'The partition for every job of the system.'),
      account: optional(text(128), 'What jobs are charged to, where the site charges to accounts.'),
      workDirectory: field(
        matching(/^\/\S*$/, 'a path that begins with / and has no spaces'),
        'A directory on the cluster that jobs may write to; {account} in it stands for the account that a job runs as.',
      ),
      pollFloorSeconds: optional(
        wholeNumber(1, 3600),
        'No job is looked up more often than this (30, unless it is said).',
      ),
      liveOutput: optional(
        v.boolean('true or false'),
        'Whether jobs send what they write while somebody follows them (true, unless it is said).',
      ),
      keepsDirectories: optional(
        v.boolean('true or false'),
        'Whether the directories of jobs stay after their results were sent (false, unless it is said).',
      ),
    }),
    section({
      kind: v.literal('unicore', connectorKinds),
      baseUrl: field(address, "The address of UNICORE's REST interface, up to /rest/core."),
    }),
    section({
      kind: v.literal('nsg', connectorKinds),
      baseUrl: field(address, "The address of NSG's REST interface."),
      endUsers: field(
        section({
          emailDomain: field(text(255), 'Of the addresses that NSG is told of users.'),
          institution: field(text(255), 'The institution that NSG is told of users.'),
          country: field(text(255), 'The country that NSG is told of users.'),
        }),
        'What NSG wants to know of the users for whom jobs are submitted.',
      ),
    }),
  ],
  connectorKinds,
);

const renewed = section({
  seconds: field(wholeNumber(0, 1_000_000_000_000_000), 'Seconds of time.'),
  kilobytes: field(wholeNumber(0, 1_000_000_000_000_000), 'Kilobytes (1,000 bytes) of space.'),
});

const RenewalEntry = section({
  every: field(
    v.picklist(renewalPeriods, '"monthly", "quarterly" or "yearly"'),
    'How often it renews.',
  ),
  on: field(wholeNumber(1, lastRenewalDay), 'The day of the month, at 00:00 UTC.'),
  month: optional(
    wholeNumber(1, 12),
    'From which month quarters or years count (1, January, unless it is said); not with "monthly".',
  ),
  to: field(renewed, 'What is granted each time.'),
  carryOver: optional(
    renewed,
    'The most that is kept of what is left; the rest lapses (all of it, unless it is said).',
  ),
});

const SystemEntry = section({
  name: field(name, 'The name in paths; bodies carry it in upper case.'),
  description: field(text(500), 'What users are told of it.'),
  projects: field(
    filledListOf(ProjectEntry, 'a list of at least one project'),
    'The projects; the first is the default of a submission that names none.',
  ),
  program: field(
    Program,
    'What a job runs: the text of a command, or the name of an installed tool.',
  ),
  extraFields: field(
    listOf(
      section({
        name: field(name, 'The name of the field in the payload.'),
        maxLength,
      }),
      'a list of fields',
    ),
    'Fields of a submission that this system alone knows, all of them optional text.',
  ),
  limits: field(
    section({
      nodes: field(wholeNumber(1, 1_000_000), 'How many nodes a job may have.'),
      coresPerNode: field(wholeNumber(1, 1_000_000), 'How many cores of a node a job may have.'),
    }),
    'More than this is refused.',
  ),
  grantableRuntime: field(
    v.pipe(
      v.number('a number of hours above 0, up to 8760'),
      v.gtValue(0, 'a number of hours above 0, up to 8760'),
      v.maxValue(8760, 'a number of hours above 0, up to 8760'),
    ),
    'Hours. A longer request is granted this much, not refused; jobs are granted multiples of the unit of their connector.',
  ),
  charging: field(
    v.picklist(['wall-clock', 'node', 'core'], '"wall-clock", "node" or "core"'),
    "Which time is charged: the clock's, the clock's on every node, or the clock's on every core.",
  ),
  jobId: field(JobIdForm, 'What the ids of its jobs look like.'),
  stages: field(Stages, "The system's own words."),
  connector: field(Connector, 'How jobs get there; never a credential.'),
  runsAs: optional(
    v.picklist(['service', 'mapped'], '"service" or "mapped"'),
    "As whom its jobs run: all of them as the service's own user there (service, unless it is said), or each as the account that an administrator entered for its owner (mapped).",
  ),
  handOversAtOnce: optional(
    wholeNumber(1, 100),
    'How many jobs are handed over to it side by side, by one run (8, unless it is said).',
  ),
  sweepRuns: optional(
    wholeNumber(1, 4),
    'By how many runs its jobs are followed; one is enough for thousands.',
  ),
  maxResultsBytes: optional(
    wholeNumber(1, 5_000_000_000),
    'How large the zip of results may be that a job sends (5,000,000,000, unless it is said).',
  ),
  welcomeQuota: field(
    section({
      seconds: field(wholeNumber(0), 'Seconds of time.'),
      kilobytes: field(wholeNumber(0), 'Kilobytes (1,000 bytes) of space.'),
      renews: optional(
        RenewalEntry,
        'How it is filled anew, for users who are given it from now on; never, unless it is said.',
      ),
    }),
    'What a new user is given in the default project.',
  ),
});

export const CatalogSchema = section({
  $schema: optional(v.string('text'), 'Where editors find this schema: docs/catalog.schema.json.'),
  systems: field(
    filledListOf(SystemEntry, 'a list of at least one system'),
    'The HPC systems, in the order in which users see them.',
  ),
});

export type CatalogEntry = v.InferOutput<typeof CatalogSchema>;
export type SystemEntry = v.InferOutput<typeof SystemEntry>;
export type RenewalEntry = v.InferOutput<typeof RenewalEntry>;
export type ProjectEntry = v.InferOutput<typeof ProjectEntry>;
