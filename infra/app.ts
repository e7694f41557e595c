import { App } from 'aws-cdk-lib';
import { InvalidCatalogError } from '#lib/catalog/file/read-catalog.ts';
import { checkBestPractices } from './check-best-practices.ts';
import { readConfig } from './settings/config.ts';
import { ContextError } from './settings/context-error.ts';
import { addStacks } from './stacks/add-stacks.ts';

try {
  const app = new App();
  addStacks(app, readConfig(app.node));
  checkBestPractices(app);
} catch (error) {
  if (!(error instanceof ContextError || error instanceof InvalidCatalogError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
