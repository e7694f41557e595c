import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { dropFolder } from '../drop-folder.ts';
import type { Played } from './play-story.ts';
import { lab } from './story.ts';

export interface Shot {
  readonly name: string;
  /** Below `/console/`. */
  readonly page: string | ((played: readonly Played[]) => string);
  /** A text that appears when the page is complete. */
  readonly shows: string;
  /** Default: the researcher of the story. */
  readonly as?: 'administrator' | 'leader';
  readonly size?: { readonly width: number; readonly height: number };
  readonly colours?: 'light' | 'dark';
  /** Steps before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const wide = (height: number) => ({ width: 1280, height });
const as = 'administrator';
const phone = { width: 390, height: 844 };

export const shots: readonly Shot[] = [
  { name: 'console-home', page: '', shows: 'The last 30 days' },
  { name: 'console-home-dark', page: '', shows: 'The last 30 days', colours: 'dark' },
  { name: 'console-phone', page: '', shows: 'The last 30 days', size: phone },
  { name: 'console-jobs', page: 'jobs/', shows: 'Spike trains, night 12', size: wide(560) },
  {
    name: 'console-job-phone',
    page: jobPage('Cortical column, 48 × 48'),
    shows: 'Files',
    size: phone,
  },
  { name: 'console-submit', page: 'submit/', shows: 'Price', prepare: fillIn },
  { name: 'console-quotas', page: 'quotas/', shows: 'node-hours left', size: wide(660) },
  {
    name: 'console-ledger',
    page: 'quotas/hpc_one/proj_hpc_one_01/',
    shows: 'succeeded: ',
    size: wide(480),
  },
  {
    name: 'console-project',
    page: `projects/${lab.hpc}/${lab.project}/`,
    shows: '306337',
    as: 'leader',
    size: wide(820),
  },
  { name: 'admin-requests', page: 'admin/requests/', shows: '306330 asks', as, size: wide(560) },
  {
    name: 'admin-person',
    page: 'admin/people/306330/',
    shows: 'Decided by the board',
    as,
    size: wide(720),
  },
  {
    name: 'admin-grants',
    page: 'admin/grants/',
    shows: 'Grant many at once',
    as,
    size: wide(930),
    prepare: writeGrant,
  },
  { name: 'admin-reports', page: 'admin/reports/?by=day', shows: 'Download CSV', as },
  { name: 'admin-systems', page: 'admin/systems/', shows: 'hpc_two', as, size: wide(640) },
];

/** Returns the page of the newest job with that title. */
function jobPage(title: string) {
  return (played: readonly Played[]): string => {
    const found = played.findLast(({ job }) => job.title === title);
    if (!found) throw new Error(`Nobody submitted '${title}'.`);
    const { project_hpc: hpc, project_name: project, job_id: id } = found.job;
    return `jobs/${hpc.toLowerCase()}/${project}/${id}/`;
  };
}

async function fillIn(page: Page): Promise<void> {
  const study = resolve('docs/examples/my-study');
  await dropFolder(page, page.getByRole('region', { name: 'Input' }), study);
  await page.getByText('3 files').waitFor();
  await page.getByLabel('Command').fill('node study.mjs');
  await page.getByLabel('Nodes').fill('2');
  await page.getByLabel('Cores per node').fill('24');
  await page.getByLabel('Runtime').fill('3h');
  await page.getByLabel('Title').fill('Spike trains, night 14');
  await page.getByText('2 nodes × 3 h = 6 node-hours.').waitFor();
}

const pasted = `user,project,node_hours,reason
306329,proj_hpc_one_01,500,The board
306330,proj_hpc_two_01,20,A test`;

async function writeGrant(page: Page): Promise<void> {
  await page.getByLabel('User').fill('306328');
  await page.getByLabel('Time').fill('500 node-hours');
  await page.getByLabel('Project', { exact: true }).selectOption('proj_hpc_one_01');
  await page.getByLabel('Until').fill('31 March 2027');
  await page.getByLabel('Reason').first().fill('A course in spring');
  await page.getByText(/^Preview: 5,000 → 5,500 node-hours/).waitFor();
  const many = page.getByRole('region', { name: 'Grant many at once' });
  await many.getByLabel('Table').fill(pasted);
  await many.getByRole('button', { name: 'Preview' }).click();
  await many.getByText('Preview: 2 granted.').waitFor();
}
