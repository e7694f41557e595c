import { craftZip } from '#test/unit/zips/craft-zip.ts';
import { type Submission, smallZip, zipOf } from '../submit.ts';

/** What is wrong beside the Payload: the file's name, its bytes, the key. */
export interface BadSubmission {
  readonly name: string;
  readonly submission: Submission;
  readonly status: number;
  /** The end of the problem's type. */
  readonly type: string;
  /** `location name` of every part that is wrong. */
  readonly named?: readonly string[];
}

const dispositions: readonly BadSubmission[] = [
  ['missing', null],
  ['empty', ''],
  ['a type alone', 'attachment'],
  ['no attachment', 'inline; filename=job_file.zip'],
  ['form-data', 'form-data; name=file; filename=job_file.zip'],
  ['without a type', 'filename=job_file.zip'],
  ['without a file name', 'attachment; name=job_file.zip'],
  ['with an empty file name', 'attachment; filename='],
  ['with an empty quoted file name', 'attachment; filename=""'],
  ['with a path', 'attachment; filename="dir/job_file.zip"'],
  ['with a path upwards', 'attachment; filename=../job_file.zip'],
  ['with an absolute path', 'attachment; filename="/etc/job_file.zip"'],
  ['with a path of Windows', 'attachment; filename="..\\\\job_file.zip"'],
  ['with a drive', 'attachment; filename="C:job_file.zip"'],
  ['with a percent-encoded path', "attachment; filename*=UTF-8''..%2Fjob_file.zip"],
  ['with a percent-encoded NUL', "attachment; filename*=UTF-8''job%00_file.zip"],
  ['with a NUL before the ending', "attachment; filename*=UTF-8''job_file.exe%00.zip"],
  ['with a percent-encoded line end', "attachment; filename*=UTF-8''job%0D%0Afile.zip"],
  ['not zip', 'attachment; filename=job_file.tar'],
  ['zip in the middle only', 'attachment; filename=job_file.zip.exe'],
  ['an ending without a name', 'attachment; filename=.zip'],
  ['hidden', 'attachment; filename=.job_file.zip'],
  ['two dots', 'attachment; filename=..zip'],
  ['zip in the weaker form only', 'attachment; filename="a.zip"; filename*=UTF-8\'\'b.exe'],
  ['256 characters long', `attachment; filename=${'x'.repeat(252)}.zip`],
].map(([form = '', disposition = null]) => ({
  name: `a Content-Disposition: ${form}`,
  submission: { disposition },
  status: 400,
  type: 'invalid-request',
  named: ['header Content-Disposition'],
}));

const bodies: readonly BadSubmission[] = [
  { what: 'text', body: 'hello' },
  { what: 'the first two bytes of a zip', body: smallZip.slice(0, 2) },
  { what: 'a tar', body: new Uint8Array(512) },
  { what: 'a gzip', body: Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]) },
  { what: 'a zip behind one byte', body: Uint8Array.from([0, ...smallZip]) },
  { what: 'a zip without its end', body: zipOf(300).slice(0, -1) },
  { what: 'a zip that leads outside', body: Uint8Array.from(craftZip([{ name: '../a' }])) },
].map(({ what, body }) => ({
  name: `a body that is ${what}`,
  submission: { body, headers: { 'content-type': 'application/zip' } },
  status: 400,
  type: 'invalid-request',
  named: ['body body'],
}));

const types: readonly BadSubmission[] = [
  'multipart/form-data; boundary=x',
  'Multipart/Mixed; boundary=x',
  'application/json',
  'text/plain',
].map((type) => ({
  name: `a body of the type ${type}`,
  submission: { headers: { 'content-type': type } },
  status: 415,
  type: 'unsupported-body',
}));

const packed: BadSubmission = {
  name: 'a body that is packed once more',
  submission: { headers: { 'content-encoding': 'gzip' } },
  status: 415,
  type: 'unsupported-body',
};

const keys: readonly BadSubmission[] = [
  ['empty', ''],
  ['with a space', 'a key'],
  ['256 characters long', 'k'.repeat(256)],
  ['beyond ASCII', 'schl\u00fcssel'],
].map(([form, key = '']) => ({
  name: `an Idempotency-Key ${form}`,
  submission: { headers: { 'idempotency-key': key } },
  status: 400,
  type: 'invalid-request',
  named: ['header Idempotency-Key'],
}));

export const badSubmissions: readonly BadSubmission[] = [
  ...dispositions,
  ...bodies,
  ...types,
  packed,
  ...keys,
  {
    name: 'all of it at once',
    submission: {
      disposition: null,
      payload: null,
      body: 'hello',
      headers: { 'idempotency-key': 'a key', 'content-type': 'application/zip' },
    },
    status: 400,
    type: 'invalid-request',
    named: ['header Payload', 'header Content-Disposition', 'header Idempotency-Key', 'body body'],
  },
  {
    name: 'a zip of one byte more than a request carries',
    submission: { body: zipOf(4_500_001) },
    status: 413,
    type: 'body-too-large',
  },
];

/** Systems and projects that take no job, because they do not exist (design 2, Paths). */
export const submissionsToNowhere = [
  { path: '/jobs/hpc_three/', type: 'system-not-found' },
  { path: '/jobs/HPC_ONE/', type: 'system-not-found' },
  { path: '/jobs/hpc_one/proj_hpc_one_99/', type: 'project-not-found' },
  { path: '/jobs/hpc_one/proj_hpc_two_01/', type: 'project-not-found' },
  { path: '/jobs/hpc_two/proj_hpc_one_01/', type: 'project-not-found' },
  { path: '/jobs/hpc_one//', type: 'path-not-found' },
] as const;
