import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface SavedQueriesProps {
  readonly service: string;
  readonly accessLog: ILogGroup;
}

/**
 * Saves the queries of docs/runbook.md in CloudWatch Logs Insights. Queries about all functions
 * have no log groups, because a query allows only 50. Users select the groups by prefix.
 */
export class SavedQueries extends Construct {
  constructor(scope: Construct, id: string, props: SavedQueriesProps) {
    super(scope, id);
    const { service, accessLog } = props;
    new QueryDefinition(this, 'OneRequest', {
      queryDefinitionName: `${service}/one request`,
      queryString: new QueryString({
        fields: ['@timestamp', '@log', '@message'],
        filterStatements: ['requestId = "PASTE THE INSTANCE OF THE PROBLEM"'],
        sort: '@timestamp asc',
        limit: 100,
      }),
    });
    new QueryDefinition(this, 'Failures', {
      queryDefinitionName: `${service}/failures`,
      queryString: new QueryString({
        fields: ['@timestamp', 'requestId', 'error.name', 'error.message', 'message'],
        filterStatements: ['level = "ERROR"'],
        sort: '@timestamp desc',
        limit: 100,
      }),
    });
    new QueryDefinition(this, 'Slowest', {
      queryDefinitionName: `${service}/slowest requests`,
      logGroups: [accessLog],
      queryString: new QueryString({
        fields: ['@timestamp', 'requestId', 'routeKey', 'path', 'status', 'latencyMs'],
        sort: 'latencyMs desc',
        limit: 50,
      }),
    });
  }
}
