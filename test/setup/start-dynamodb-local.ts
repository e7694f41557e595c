import type { TestProject } from 'vitest/node';
import { javaIsPresent, startDynamoDbLocal } from '../engines/dynamodb-local.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamoDbLocal?: string;
  }
}

/** One engine for all files of a suite: it takes seconds to start, and minutes to become fast. */
export default async function startSharedEngine(project: TestProject) {
  if (!javaIsPresent()) {
    console.log('skipped: DynamoDB Local needs Java 17');
    return undefined;
  }
  const { endpoint, close } = await startDynamoDbLocal();
  project.provide('dynamoDbLocal', endpoint);
  return close;
}
