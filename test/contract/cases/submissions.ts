import { utf8Header } from '../ask.ts';
import type { Job } from '../shapes.ts';
import { type Submission, smallZip, zipOf } from '../submit.ts';

interface GoodSubmission {
  readonly section: string;
  readonly name: string;
  readonly submission: Submission;
  /** What the answer must hold, beside the form that every new job has. */
  readonly job: Partial<Job>;
}

const onOne = {
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  stage: 'QUEUED',
  runtime: 2,
  title: 'a job title',
} as const;

const onTwo = {
  project_hpc: 'HPC_TWO',
  project_name: 'proj_hpc_two_01',
  stage: 'QUEUE',
  runtime: 0.5,
  title: 'a job title',
} as const;

/** Where the time does not matter: an account at BASE_URL has only so much of it. */
const cheap = { node_number: '1', runtime: '0.01' } as const;

/** The examples, word for word: each path that takes a job, with and without its slash. */
const examples: readonly GoodSubmission[] = [
  { path: '/jobs/hpc_one/', says: 'QUEUED in the default project' },
  { path: '/jobs/hpc_one', says: 'the same' },
  { path: '/jobs/hpc_one/proj_hpc_one_01/', says: 'QUEUED in that project' },
  { path: '/jobs/hpc_one/proj_hpc_one_01', says: 'the same' },
  { path: '/jobs/hpc_two/', says: '0.5 and QUEUE in the default project' },
  { path: '/jobs/hpc_two', says: 'the same' },
  { path: '/jobs/hpc_two/proj_hpc_two_01/', says: '0.5 and QUEUE in that project' },
  { path: '/jobs/hpc_two/proj_hpc_two_01', says: 'the same' },
].map(({ path, says }) => {
  const hpc = path.startsWith('/jobs/hpc_one') ? 'hpc_one' : 'hpc_two';
  return {
    section: '4.2',
    name: `POST ${path} with runtime 2.0 answers ${says}`,
    submission: { hpc, path },
    job: hpc === 'hpc_one' ? onOne : onTwo,
  };
});

const fields: readonly GoodSubmission[] = [
  {
    section: '4.2',
    name: 'numbers may be JSON numbers on hpc_one',
    submission: { fields: { node_number: 2, core_number: 6, runtime: 2.0 } },
    job: onOne,
  },
  {
    section: '4.2',
    name: 'numbers may be JSON numbers on hpc_two',
    submission: { hpc: 'hpc_two', fields: { node_number: 2, core_number: 6, runtime: 2 } },
    job: onTwo,
  },
  {
    section: '4.2',
    name: 'a runtime below what hpc_two grants stays',
    submission: { hpc: 'hpc_two', fields: { runtime: '0.25' } },
    job: { ...onTwo, runtime: 0.25 },
  },
  {
    section: '4.2',
    name: 'a runtime with a fraction stays on hpc_one',
    submission: { fields: { runtime: '1.125' } },
    job: { ...onOne, runtime: 1.125 },
  },
  {
    section: '4.2',
    name: 'the title defaults to nothing',
    submission: { fields: { title: undefined } },
    job: { ...onOne, title: '' },
  },
  {
    section: '4.2',
    name: 'the title is trimmed',
    submission: { fields: { title: '  a job title ' } },
    job: onOne,
  },
  {
    section: '4.2',
    name: 'a title of 200 characters is taken',
    submission: { fields: { title: 'x'.repeat(200) } },
    job: { ...onOne, title: 'x'.repeat(200) },
  },
  {
    section: '4.2',
    name: 'a title may be in any script, sent as UTF-8',
    submission: { payload: utf8Header(payloadWithTitle('größer 模型 🚀')) },
    job: { ...onOne, title: 'größer 模型 🚀' },
  },
  {
    section: '4.2',
    name: 'a title may be in any script, sent as JSON escapes',
    submission: { payload: payloadWithTitle('gr\\u00f6\\u00dfer \\ud83d\\ude80') },
    job: { ...onOne, title: 'größer 🚀' },
  },
  {
    section: '4.2',
    name: 'a title that looks like markup or a query stays as it is',
    submission: { fields: { title: `<b>'; DROP TABLE jobs; -- {"$ne":null} \\ "` } },
    job: { ...onOne, title: `<b>'; DROP TABLE jobs; -- {"$ne":null} \\ "` },
  },
  {
    section: '4.2',
    name: 'a tool in lower case is the same tool',
    submission: { hpc: 'hpc_two', fields: { tool: 'neuron74_tg' } },
    job: onTwo,
  },
  {
    section: '4.2',
    name: 'hpc_two takes the optional fields of its catalog',
    submission: { hpc: 'hpc_two', fields: { init_file: 'init.hoc', python_option: '-O' } },
    job: onTwo,
  },
];

const files: readonly GoodSubmission[] = [
  ['unquoted', 'attachment; filename=job_file.zip'],
  ['quoted', 'attachment; filename="job_file.zip"'],
  ['quoted with a space', 'attachment; filename="job file.zip"'],
  ['as RFC 5987 has it', "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.zip"],
  ['in both forms', 'attachment; filename="a.zip"; filename*=UTF-8\'\'b.zip'],
  ['in UTF-8', utf8Header('attachment; filename="模型.zip"')],
  ['without a space before it', 'attachment;filename=job_file.zip'],
  ['in other letters', 'Attachment; FileName=JOB_FILE.ZIP'],
].map(([form = '', disposition = '']) => ({
  section: '4.2',
  name: `the file name may be ${form}`,
  submission: { disposition, fields: cheap },
  job: { ...onOne, runtime: 0.01 },
}));

const bodies: readonly GoodSubmission[] = [
  { what: 'no body: a job without input', submission: { body: '' } },
  { what: 'an archive without entries', submission: { body: smallZip } },
  { what: 'a larger zip', submission: { body: zipOf(100_000) } },
  { what: 'application/zip', submission: { headers: { 'content-type': 'application/zip' } } },
  {
    what: 'application/octet-stream',
    submission: { headers: { 'content-type': 'application/octet-stream' } },
  },
  {
    what: "the type that curl's --data-binary gives",
    submission: { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  },
].map(({ what, submission }) => ({
  section: '4.2',
  name: `the body may be ${what}`,
  submission: { ...submission, fields: cheap },
  job: { ...onOne, runtime: 0.01 },
}));

export const goodSubmissions = [...examples, ...fields, ...files, ...bodies];

function payloadWithTitle(title: string): string {
  return `{"command":"ls -lisa","node_number":"2","core_number":"6","runtime":"2.0","title":"${title}"}`;
}

export interface Charge {
  readonly submission: Submission;
  readonly name: string;
  readonly seconds: number;
  readonly kilobytes: number;
}

/** Design 2, Quotas: ceil(nodes x granted hours x 3600) seconds, and the kilobytes of the input. */
export const charges: readonly Charge[] = [
  {
    name: '2 nodes for 2.0 hours on hpc_one',
    submission: {},
    seconds: 14_400,
    kilobytes: 1,
  },
  {
    name: '2 nodes for 2.0 hours on hpc_two, of which 0.5 are granted',
    submission: { hpc: 'hpc_two' },
    seconds: 3600,
    kilobytes: 1,
  },
  {
    name: '2 nodes whatever their cores',
    submission: { fields: { core_number: '1', runtime: '1' } },
    seconds: 7200,
    kilobytes: 1,
  },
  {
    name: '3 nodes for 0.1 hours, which doubles cannot hold',
    submission: { fields: { node_number: '3', runtime: '0.1' } },
    seconds: 1080,
    kilobytes: 1,
  },
  {
    name: '7 nodes for 0.3333 hours, rounded up',
    submission: { fields: { node_number: '7', runtime: '0.3333' } },
    seconds: 8400,
    kilobytes: 1,
  },
  {
    name: 'a job without input',
    submission: { fields: { node_number: '1', runtime: '0.01' }, body: '' },
    seconds: 36,
    kilobytes: 0,
  },
  {
    name: 'an input of 1,000 bytes',
    submission: { fields: { node_number: '1', runtime: '0.01' }, body: zipOf(1000) },
    seconds: 36,
    kilobytes: 1,
  },
  {
    name: 'an input of 1,001 bytes',
    submission: { fields: { node_number: '1', runtime: '0.01' }, body: zipOf(1001) },
    seconds: 36,
    kilobytes: 2,
  },
];
