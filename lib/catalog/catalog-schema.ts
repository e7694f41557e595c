import * as v from 'valibot';
import { firstOpenedNumber, nameForm } from './identifiers.ts';
import {
  field,
  filledListOf,
  listOf,
  matching,
  optional,
  section,
  text,
  wholeNumber,
} from './kinds/forms.ts';
import { ConnectorSchema } from './kinds/system-kinds.ts';
import { lastRenewalDay, renewalPeriods } from './renewal.ts';

const name = matching(
  nameForm,
  'up to 63 lower-case letters, digits and underscores, with a letter first',
);

const stageWord = matching(
  /^[A-Z][A-Z0-9_]{0,62}$/,
  'a word of up to 63 upper-case letters, digits and underscores, with a letter first',
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
  connector: field(ConnectorSchema, 'How jobs get there; never a credential.'),
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

/**
 * A catalog as its file holds it (docs/catalog.md). The types of systems and projects and
 * docs/catalog.schema.json, with the descriptions that an editor shows, are made from it.
 */
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
