import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { routeNames, routes } from '../../functions/routes.ts';
import type { IdentityInput, PagingInput, TableInput } from '../../lib/config.ts';
import { gatewayKeys, type Route } from '../../lib/http/route.ts';
import type { TableUse } from '../../lib/table/table-use.ts';
import type { DeployConfig } from '../config.ts';
import { ApiFunction } from '../constructs/api-function.ts';
import { grantTableUse } from '../constructs/grant-table-use.ts';
import { UserDirectory } from '../constructs/user-directory.ts';

export interface ServiceStackProps extends StackProps {
  readonly config: DeployConfig;
  readonly table: TableV2;
}

/** What every deployment may replace: the gateway and the functions behind it. */
export class ServiceStack extends Stack {
  readonly #table: TableV2;
  readonly #identity: IdentityInput;
  readonly #paging: PagingInput;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, props);
    this.#table = props.table;
    this.#identity = this.#chooseIdentity(props.config);
    this.#paging = { CURSOR_SECRET: this.#makeCursorSecret() };

    const api = new HttpApi(this, 'Api', { createDefaultStage: false });
    for (const name of routeNames) {
      const route: Route = routes[name];
      this.#addRoutes(api, gatewayKeys(route), this.#makeFunction(name, route));
    }
    this.#addRoutes(api, ['$default'], this.#makeFallback());
    const stage = new HttpStage(this, 'Stage', { httpApi: api, autoDeploy: true });
    new CfnOutput(this, 'BaseUrl', { value: stage.url });
  }

  #chooseIdentity(config: DeployConfig): IdentityInput {
    const { issuer, audience } = config;
    if (issuer !== undefined && audience !== undefined)
      return { ISSUER: issuer, AUDIENCE: audience };
    return new UserDirectory(this, 'UserDirectory', config).identity;
  }

  /** It only keeps cursors from being made up, and changes with nothing that is stored. */
  #makeCursorSecret(): string {
    const secret = new Secret(this, 'CursorSecret', {
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
    return secret.secretValue.unsafeUnwrap();
  }

  #makeFunction(id: string, route: Omit<Route, 'method' | 'path'>): ApiFunction {
    const endpoint = new ApiFunction(this, id, {
      file: route.file,
      environment: {
        ...(route.access !== 'public' && this.#identity),
        ...(route.table && ({ TABLE_NAME: this.#table.tableName } satisfies TableInput)),
        ...(route.pages && this.#paging),
      },
    });
    if (route.table) grantTableUse(this.#table, endpoint, route.table);
    return endpoint;
  }

  /** It may call any handler, so it may do what all of them may. */
  #makeFallback(): ApiFunction {
    const uses = routeNames.flatMap((name) => {
      const route: Route = routes[name];
      return route.table ? [route.table] : [];
    });
    const table: TableUse = {
      actions: [...new Set(uses.flatMap(({ actions }) => actions))],
      partitions: [...new Set(uses.flatMap(({ partitions }) => partitions))],
    };
    return this.#makeFunction('fallback', {
      file: 'fallback',
      access: 'caller',
      table,
      pages: true,
    });
  }

  #addRoutes(api: HttpApi, keys: readonly string[], endpoint: ApiFunction): void {
    const integration = new HttpLambdaIntegration(`${endpoint.node.id}-integration`, endpoint, {
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
    });
    for (const key of keys) {
      new HttpRoute(this, `route ${key.replaceAll('/', '-')}`, {
        httpApi: api,
        routeKey: parseKey(key),
        integration,
      });
    }
  }
}

function parseKey(key: string): HttpRouteKey {
  const [method, path] = key.split(' ');
  if (path === undefined) return HttpRouteKey.DEFAULT;
  return HttpRouteKey.with(
    path,
    Object.values(HttpMethod).find((known) => known === method),
  );
}
