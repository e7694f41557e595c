/** `/console/config.json`: where the service is, and how one signs in. */
export type ConsoleConfig = LaptopConfig | OidcConfig;

interface AnyConfig {
  /** Where paths of the interface are appended to; nothing where the console came from. */
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
  /** Asked for where the issuer wants to know it (RFC 8707, or its own way). */
  readonly audience?: string;
  /** Which of the issuer's tokens the service takes. */
  readonly token: 'access_token' | 'id_token';
  /** Which claims of it name the user and the administrators, as the service reads them. */
  readonly claims: {
    readonly user: string;
    readonly admin: readonly string[];
    readonly adminValue: string;
  };
}
