import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/**
 * Saves the queries of docs/runbook.md in CloudWatch Logs Insights. Queries about all functions
 * have no log groups, because a query allows only 50. Users select the groups by prefix.
 */
export function saveQueries(stack: Construct, service: string, accessLog: ILogGroup): void {
  const scope = new Construct(stack, 'Queries');
  new QueryDefinition(scope, 'OneRequest', {
    queryDefinitionName: `${service}/one request`,
    queryString: new QueryString({
      fields: ['@timestamp', '@log', '@message'],
      filterStatements: ['requestId = "PASTE THE INSTANCE OF THE PROBLEM"'],
      sort: '@timestamp asc',
      limit: 100,
    }),
  });
  new QueryDefinition(scope, 'Failures', {
    queryDefinitionName: `${service}/failures`,
    queryString: new QueryString({
      fields: ['@timestamp', 'requestId', 'error.name', 'error.message', 'message'],
      filterStatements: ['level = "ERROR"'],
      sort: '@timestamp desc',
      limit: 100,
    }),
  });
  new QueryDefinition(scope, 'Slowest', {
    queryDefinitionName: `${service}/slowest requests`,
    logGroups: [accessLog],
    queryString: new QueryString({
      fields: ['@timestamp', 'requestId', 'routeKey', 'path', 'status', 'latencyMs'],
      sort: 'latencyMs desc',
      limit: 50,
    }),
  });
}
