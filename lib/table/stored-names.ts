import * as v from 'valibot';
import type {
  BatchId,
  JobId,
  ProjectName,
  RequestId,
  SystemName,
  UserId,
} from '#lib/catalog/identifiers.ts';

/**
 * Checks only that a stored name is a string, because names are validated before they are written.
 */
const storedName = <Name extends string>() => v.custom<Name>((value) => typeof value === 'string');

export const StoredUserId = storedName<UserId>();
export const StoredSystemName = storedName<SystemName>();
export const StoredProjectName = storedName<ProjectName>();
export const StoredJobId = storedName<JobId>();
export const StoredAwaitedId = storedName<JobId | BatchId>();
export const StoredBatchId = storedName<BatchId>();
export const StoredRequestId = storedName<RequestId>();
