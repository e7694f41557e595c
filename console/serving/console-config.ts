/** `/console/config.json`: where the service is, and how users sign in. */
export type ConsoleConfig = LaptopConfig | OidcConfig;

interface AnyConfig {
  /** The base address of the service. Empty if it is the console's own. */
  readonly api: string;
}

interface LaptopConfig extends AnyConfig {
  readonly signIn: 'laptop';
}

export interface OidcConfig extends AnyConfig {
  readonly signIn: 'oidc';
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Sent if the issuer needs it (RFC 8707, or its own way). */
  readonly audience?: string;
  /** The issuer's token that the service accepts. */
  readonly token: 'access_token' | 'id_token';
  /** The claims that name the user and the administrators, as the service reads them. */
  readonly claims: {
    readonly user: string;
    readonly admin: readonly string[];
    readonly adminValue: string;
  };
}
