import { attribute, group, number } from './define-item.ts';
import {
  StoredBatchId,
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from './stored-names.ts';

// Fields that several kinds of items have. Functions, so that a bundle has only those that it uses.

export const userField = (name: 'user' | 'owner' | 'member' = 'user') =>
  attribute(name, StoredUserId);

export const jobIdField = () => attribute('job_id', StoredJobId);

export const batchIdField = () => attribute('batch_id', StoredBatchId);

export const projectKeyFields = () => ({
  hpc: attribute('hpc', StoredSystemName),
  project: attribute('project_name', StoredProjectName),
});

/** A project with its record number. */
export function projectField() {
  const { hpc, project: name } = projectKeyFields();
  return group({ number: number('project'), hpc, name });
}
