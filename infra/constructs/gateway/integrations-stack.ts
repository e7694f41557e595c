import { NestedStack, Stack } from 'aws-cdk-lib';
import { CfnIntegration, type HttpApi, PayloadFormatVersion } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

export interface IntegrationsStackProps {
  readonly api: HttpApi;
  readonly service: string;
}

/** How the gateway calls its functions. Nested, because it is two resources for each endpoint. */
export class IntegrationsStack extends NestedStack {
  readonly #api: HttpApi;

  constructor(scope: Construct, id: string, { api, service }: IntegrationsStackProps) {
    super(scope, id, { description: `${service}: which functions the API calls` });
    this.#api = api;
  }

  /** Lets the gateway call a function, and returns the id of the integration for its routes. */
  add(name: string, keys: readonly string[], functionArn: string): string {
    const { apiId } = this.#api;
    // Methods and paths are one part each. `$default` has neither.
    const path = keys.includes('$default') ? '*/*' : '*/*/*';
    new CfnPermission(this, `${name}-permission`, {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: Stack.of(this).formatArn({
        service: 'execute-api',
        resource: apiId,
        resourceName: path,
      }),
    });
    return new CfnIntegration(this, name, {
      apiId,
      integrationType: 'AWS_PROXY',
      integrationUri: functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0.version,
    }).ref;
  }
}
