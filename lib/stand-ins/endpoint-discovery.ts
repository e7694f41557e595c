/**
 * For `@aws-sdk/middleware-endpoint-discovery`: the client of DynamoDB still prepares for it, with
 * a cache of its own, but none of its operations asks for an endpoint that way any more.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: undefined,
};

export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}
