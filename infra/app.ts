import { App } from 'aws-cdk-lib';
import { readConfig } from './config.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ServiceStack } from './stacks/service-stack.ts';

const app = new App();
const config = readConfig(app.node);
const data = new DataStack(app, `slipway-${config.stage}-data`, { config });
new ServiceStack(app, `slipway-${config.stage}-service`, { config, table: data.table });
