import { startEmbeddedDynamoDb } from '../../local/dynamodb/embedded-dynamodb.ts';
import { javaIsPresent, startDynamoDbLocal } from './dynamodb-local.ts';

export interface Engine {
  name: string;
  /** False where this machine cannot run it: skip, and say so. */
  available: boolean;
  start(): Promise<{ endpoint: string; close(): Promise<void> }>;
}

const hasJava = javaIsPresent();
if (!hasJava) console.log('skipped: DynamoDB Local needs Java 17');

/** What a test of the table runs on: the laptop edition's engine, and the one it must behave as. */
export const engines: Engine[] = [
  { name: 'embedded', available: true, start: () => startEmbeddedDynamoDb() },
  { name: 'DynamoDB Local', available: hasJava, start: startDynamoDbLocal },
];
