import * as v from 'valibot';
import { firstOpenedNumber, nameForm } from './identifiers.ts';
import { PriceEntry } from './kinds/aws-batch.ts';
import { Containers } from './kinds/containers.ts';
import { coresAs, setup } from './kinds/environment.ts';
import {
  field,
  filledListOf,
  listOf,
  matching,
  numberFrom,
  optional,
  section,
  text,
  trueOrFalse,
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
    'The record number of the project, `project` in bodies. It is unique in the catalog and never reused. Projects opened at run time have higher numbers.',
  ),
  name: field(name, 'The name of the project, in paths and bodies.'),
  maxLivingJobs: field(wholeNumber(1), 'How many active jobs one user may have here.'),
  shared: optional(
    v.boolean('true or false'),
    "Whether members draw from the project's budget directly (default: false).",
  ),
  members: optional(
    section({
      group: field(
        text(255),
        'The group of the identity provider. Who has it in the token is a member.',
      ),
    }),
    'Who is a member without being invited (default: nobody).',
  ),
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
        'The start of every id. The tool and 32 hexadecimal digits follow.',
      ),
    }),
  ],
  '"uuid" or "tool-token"',
);

const Stages = section({
  first: field(stageWord, 'The stage of a new job: one of `living`.'),
  running: field(
    stageWord,
    'The word for computing, one of `living`. Time is charged from this stage on.',
  ),
  living: field(
    filledListOf(stageWord, 'a list of at least one word'),
    'The stages of an active job, in the order in which a job goes through them.',
  ),
  succeeded: field(
    filledListOf(stageWord, 'a list of at least one word'),
    'The stages of a job that has succeeded.',
  ),
  failed: field(
    listOf(stageWord, 'a list of words'),
    'The stages of a job that has failed. If the system has no such word, leave it empty: failed jobs then end like the others, with `failed` true.',
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
    'The month in which quarters or years start (default: 1, January). Not with "monthly".',
  ),
  to: field(renewed, 'The amount granted each time.'),
  carryOver: optional(
    renewed,
    'How much of the remaining quota is kept at most (default: nothing).',
  ),
});

const weight = numberFrom(0, 1_000_000);

const Weights = section({
  per: field(
    section({
      core: optional(weight, 'The charge for an hour of a core (default: 0).'),
      gpu: optional(weight, 'The charge for an hour of a GPU (default: 0).'),
      memoryGb: optional(weight, 'The charge for an hour of a gigabyte of memory (default: 0).'),
    }),
    'The hours that are charged for an hour of each resource. At least one is above 0.',
  ),
  rule: field(
    v.picklist(['sum', 'max'], '"sum" or "max"'),
    'Whether the charges for the resources are added up, or only the highest counts.',
  ),
});

const hours = 'a number of hours above 0, up to 8760';

const grantableHours = v.pipe(v.number(hours), v.gtValue(0, hours), v.maxValue(8760, hours));

const nodes = wholeNumber(1, 1_000_000);
const coresPerNode = wholeNumber(1, 1_000_000);
const memoryPerNode = numberFrom(0.001, 1_000_000);
const gpusPerNode = wholeNumber(1, 1000);

const JobClass = section({
  name: field(name, 'The name of the class, `class` in payloads.'),
  description: optional(text(500), 'A description for users.'),
  projects: optional(
    filledListOf(name, 'a list of at least one name of a project'),
    'The projects that may use the class (default: all).',
  ),
  limits: optional(
    section({
      nodes: optional(nodes, 'The most nodes of a job.'),
      coresPerNode: optional(coresPerNode, 'The most cores of a job on each node.'),
      memoryPerNode: optional(memoryPerNode, 'The most memory on each node, in gigabytes.'),
      gpusPerNode: optional(wholeNumber(0, 1000), 'The most GPUs of a job on each node.'),
      runtime: optional(grantableHours, 'The longest runtime in hours.'),
    }),
    'Limits that differ from those of the system.',
  ),
  charging: optional(
    Weights,
    'Weights that differ from those of the system. Only if the system has weights, too.',
  ),
  chargingFactor: optional(
    numberFrom(0, 1_000_000),
    'How much more time is charged than the system says: 2 for twice as much (default: 1).',
  ),
  partition: optional(text(128), 'Slurm: the partition of its jobs.'),
  qos: optional(text(128), 'Slurm: the quality of service of its jobs.'),
  account: optional(
    text(128),
    'Slurm: the account that its jobs are charged to. {project} stands for the name of the project.',
  ),
  coresAs: optional(
    coresAs,
    'Slurm: what the cores of its jobs are, if not as the connector says.',
  ),
  setup: optional(
    setup,
    'Slurm: lines of bash that run before each command, after those of the connector. Users see them.',
  ),
  queue: optional(text(256), 'AWS Batch: the name or ARN of a job queue that exists already.'),
  price: optional(
    PriceEntry,
    'AWS Batch: prices that differ from those of the connector, such as those of a queue on spot capacity.',
  ),
});

const Dataset = section({
  name: field(name, 'Its name.'),
  path: field(
    matching(/^\/[^\s'"\\$`]*$/, 'a path that begins with / and has no spaces or quotes'),
    'Where it is on the system.',
  ),
  description: field(text(500), 'What it is, for users.'),
  bytes: optional(wholeNumber(0), 'Its size.'),
  licence: optional(text(500), 'The terms of its use, or where they are.'),
  projects: optional(
    filledListOf(name, 'a list of at least one name of a project'),
    'The projects that may use it (default: all).',
  ),
});

/** The folder of each project, which stays from job to job. */
const Keep = section({
  maxKilobytes: field(
    wholeNumber(1, 1_000_000_000_000_000),
    'How many kilobytes (1,000 bytes) the folder of a project may have. Beyond that, new jobs of the project are refused.',
  ),
  path: optional(
    matching(/^\/[^\s'"\\$`]*$/, 'a path that begins with / and has no spaces or quotes'),
    "Where it is. {project} stands for the name of the project (default: below the system's own folder of jobs).",
  ),
  projects: optional(
    filledListOf(name, 'a list of at least one name of a project'),
    'The projects that have one (default: all).',
  ),
});

/** A name, never a number: addresses of networks cannot be allowed. Plain http is for this machine alone. */
const inputHost = matching(
  /^((\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*(:[0-9]{1,5})?|http:\/\/(localhost|127\.0\.0\.1)(:[0-9]{1,5})?)$/,
  'the name of a host in lower case, such as data.example.org, *.example.org or data.example.org:8443',
);

/** Without dots, because the certificates of S3 hold for one name before its own. */
const Bucket = section({
  name: field(
    matching(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, 'the name of a bucket without dots'),
    'The name of the bucket.',
  ),
  prefix: optional(
    matching(/^[A-Za-z0-9_.=-][A-Za-z0-9_.=/-]{0,254}$/, 'the beginning of keys, such as public/'),
    'The beginning of the keys that are allowed, such as public/ (default: all keys).',
  ),
  region: field(
    matching(/^[a-z0-9-]{2,32}$/, 'the name of a region, such as eu-central-1'),
    'The region of the bucket. A storage of your own often calls it us-east-1.',
  ),
  endpoint: optional(
    matching(
      /^(https:\/\/[a-z0-9.-]+|http:\/\/(localhost|127\.0\.0\.1))(:[0-9]{1,5})?$/,
      'an address by https without a path, such as https://minio.example.org',
    ),
    'The address of a storage other than S3, such as MinIO or Ceph. Only for a service that does not run on AWS.',
  ),
});

const buckets = filledListOf(Bucket, 'a list of at least one bucket');

/** The hosts and buckets from which the jobs of a system may fetch inputs, and how. */
const Inputs = section({
  hosts: field(
    listOf(inputHost, 'a list of hosts'),
    'The hosts that jobs may fetch files from by https. *.example.org stands for all names below example.org.',
  ),
  buckets: optional(
    buckets,
    'The buckets that jobs may fetch objects from by s3:// addresses. All users of the system may read them (default: none).',
  ),
  paidBy: optional(
    v.picklist(['site', 'user'], '"site" or "user"'),
    'Whether the time of fetching is left out of the charge (site, the default) or is part of it (user).',
  ),
  maxBytes: optional(wholeNumber(1), 'How large a file may be (default: 100,000,000,000).'),
  fetchedBy: optional(
    v.picklist(['job', 'service'], '"job" or "service"'),
    'Who fetches: the job, where it runs (default), or the service before the hand-over, for nodes without a way out. On NSG it is always the service.',
  ),
});

/** Where the jobs of a system may send outputs, and how. */
const Outputs = section({
  hosts: field(
    listOf(inputHost, 'a list of hosts'),
    'The hosts that jobs may send files to, by PUT to https addresses that their owners had signed.',
  ),
  buckets: optional(
    buckets,
    'The buckets that jobs may write objects to, and replace them there. All users of the system may (default: none).',
  ),
  paidBy: optional(
    v.picklist(['site', 'user'], '"site" or "user"'),
    'Whether the time of sending is left out of the charge (site, the default) or is part of it (user).',
  ),
  maxBytes: optional(
    v.pipe(wholeNumber(1), v.maxValue(5_000_000_000, 'at most 5000000000')),
    'How large a file may be (default, and the most that S3 takes at once: 5,000,000,000).',
  ),
});

const instant = 'a moment with its time zone, such as "2026-12-01T08:00:00+01:00"';

const moment = v.pipe(v.string(instant), v.isoTimestamp(instant));

const Maintenance = section({
  from: field(moment, 'When the maintenance begins.'),
  until: field(moment, 'When it ends.'),
  reason: field(text(500), 'What is done, for users.'),
  drain: optional(
    trueOrFalse(),
    'Whether jobs are held back before it that would not be over in time (default: true).',
  ),
});

const SystemEntry = section({
  name: field(name, 'The name in paths; bodies carry it in upper case.'),
  description: field(text(500), 'A description for users.'),
  announcement: optional(
    text(500),
    'What users should know now, such as a new version of its software. Every page of the console shows it.',
  ),
  maintenance: optional(
    listOf(Maintenance, 'a list of windows'),
    'The windows in which the system takes no jobs, besides those that administrators announce.',
  ),
  projects: field(
    filledListOf(ProjectEntry, 'a list of at least one project'),
    'The projects. A submission that names none uses the first.',
  ),
  program: field(
    Program,
    'What a job runs: the text of a command, or the name of an installed tool.',
  ),
  extraFields: field(
    listOf(
      section({ name: field(name, 'The name of the field in the payload.'), maxLength }),
      'a list of fields',
    ),
    'Fields that only submissions to this system have. All are optional text.',
  ),
  limits: field(
    section({
      nodes: field(nodes, 'The most nodes of a job.'),
      coresPerNode: field(coresPerNode, 'The most cores of a job on each node.'),
    }),
    'Submissions that ask for more are refused.',
  ),
  memoryPerNode: optional(
    memoryPerNode,
    'The most memory of a job on each node, in gigabytes (1,000,000,000 bytes). With it, jobs can ask for memory. A job that does not ask gets the share of its cores.',
  ),
  gpusPerNode: optional(
    gpusPerNode,
    'The most GPUs of a job on each node. With it, jobs can ask for GPUs.',
  ),
  gpuKinds: optional(
    filledListOf(
      matching(/^[A-Za-z0-9_.-]{1,63}$/, 'a name of up to 63 letters, digits and _ . -'),
      'a list of at least one kind',
    ),
    'The kinds of GPUs that jobs can choose from, by the names that the system knows.',
  ),
  classes: optional(
    filledListOf(JobClass, 'a list of at least one class'),
    'The classes of jobs. A job that names none gets the first that its project may use.',
  ),
  datasets: optional(
    filledListOf(Dataset, 'a list of at least one data set'),
    'Data that is on the system already. Jobs find each by its path, and in a variable.',
  ),
  keep: optional(
    Keep,
    'The folder of each project in which its jobs find what earlier ones left (default: none).',
  ),
  inputs: optional(Inputs, 'From where jobs may fetch inputs (default: from nowhere).'),
  outputs: optional(Outputs, 'Where jobs may send outputs (default: nowhere).'),
  containers: optional(Containers, 'The images in which jobs can run, and what runs them.'),
  grantableRuntime: field(
    grantableHours,
    'The longest runtime in hours. A longer request is not refused but granted this much. Runtimes are rounded up to the time unit of the kind of system.',
  ),
  charging: field(
    v.union(
      [v.picklist(['wall-clock', 'node', 'core']), Weights],
      '"wall-clock", "node" or "core", or an object with weights',
    ),
    'The time that is charged: elapsed time, elapsed time on every node or every core, or weights for cores, GPUs and memory.',
  ),
  chargesLostRuns: optional(
    trueOrFalse(),
    'Whether runs are charged that the system lost for reasons of its own, such as a failed node or a preemption (default: false).',
  ),
  jobId: field(JobIdForm, 'The form of job ids.'),
  stages: field(Stages, "The system's own words."),
  connector: field(ConnectorSchema, 'The connection to the system, without credentials.'),
  runsAs: optional(
    v.picklist(['service', 'mapped'], '"service" or "mapped"'),
    "The user that jobs run as: the service's own user (service, the default), or the account that an administrator entered for the job's owner (mapped).",
  ),
  accountClaim: optional(
    section({
      name: field(text(128), 'The name of the claim, such as "preferred_username".'),
      pattern: optional(
        text(200),
        'The regular expression that the whole claim must match. If it has a group, the first group is the account: "([a-z0-9.]+)@example\\.org".',
      ),
    }),
    'The claim of a caller\'s token that names the account, for users whose account no administrator has entered. Only with "runsAs": "mapped". Users must not be able to change the claim themselves.',
  ),
  handOversAtOnce: optional(
    wholeNumber(1, 100),
    'How many jobs one run hands over in parallel (default: 8).',
  ),
  sweepRuns: optional(
    wholeNumber(1, 4),
    'How many parallel runs check the jobs of this system (default: 1, enough for thousands of jobs).',
  ),
  maxResultsBytes: optional(
    wholeNumber(1, 100_000_000_000),
    'The largest zip of results that a job may send, at most 5,000,000,000 bytes, or on this machine how much all its files may have together, at most 100,000,000,000 (default: 5,000,000,000).',
  ),
  welcomeQuota: field(
    section({
      seconds: field(wholeNumber(0), 'Seconds of time.'),
      kilobytes: field(wholeNumber(0), 'Kilobytes (1,000 bytes) of space.'),
      renews: optional(
        RenewalEntry,
        'How the quota renews, for users who get it from now on (default: never).',
      ),
    }),
    'The quota that a new user gets in the default project.',
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
export type ProjectEntry = v.InferOutput<typeof ProjectEntry>;
