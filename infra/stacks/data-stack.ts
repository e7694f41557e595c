import {
  CfnOutput,
  Duration,
  RemovalPolicy,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import type { CommandInput, IdentityInput } from '#lib/config.ts';
import { FileBuckets } from '../constructs/data/file-buckets.ts';
import { HpcSecrets } from '../constructs/data/hpc-secrets.ts';
import {
  type ServedTable,
  SlipwayTable,
  useRestoredTable,
} from '../constructs/data/slipway-table.ts';
import { UserDirectory } from '../constructs/data/user-directory.ts';
import type { DeployConfig } from '../settings/config.ts';
import { keepData } from '../settings/stack-values.ts';

export interface DataStackProps extends StackProps {
  readonly config: DeployConfig;
  /** Origin of the console, if it is deployed. Users sign in from there. */
  readonly consoleOrigin: string | undefined;
}

/** The stack that must outlive every deployment. */
export class DataStack extends Stack {
  /** Absent if AWS's own keys encrypt the data. */
  readonly key: Key | undefined;
  readonly table: ServedTable;
  readonly #ownTable: SlipwayTable;
  readonly files: FileBuckets;
  readonly events: EventBus;
  readonly hpcSecrets: HpcSecrets;
  /** Keys with which the service signs, for variables of functions. The template has no value. */
  readonly signingKeys: Readonly<Record<'cursors' | 'passes', string>>;
  readonly identity: IdentityInput;
  /** How the command signs in at that issuer. */
  readonly command: CommandInput;
  /** The host of the user directory's sign-in page. Undefined with an issuer of the operator. */
  readonly signInHost: string | undefined;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    const { config, consoleOrigin, ...stack } = props;
    super(scope, id, stack);
    const { catalog, production, identity, command, corsOrigins, tableStreamArn } = config;
    // Simulators and AWS Batch need none.
    const systems = catalog.systems
      .filter(({ connector }) => systemKinds[connector.kind].credentials !== undefined)
      .map(({ name }) => name);
    this.key = config.ownKey ? makeKey(this, production) : undefined;
    const { key } = this;
    // Stays even if a restored table is served, so that operators can switch back.
    this.#ownTable = new SlipwayTable(this, 'Table', { key, production });
    this.table =
      tableStreamArn === undefined
        ? this.#ownTable
        : useRestoredTable(this, 'RestoredTable', tableStreamArn);
    this.files = new FileBuckets(this, 'Files', { key, production, corsOrigins });
    this.events = new EventBus(this, 'Events', {
      description: 'Slipway: what happens to jobs and quotas',
    });
    this.hpcSecrets = new HpcSecrets(this, 'Credentials', { systems, key, production });
    // Replacing it locks all jobs that were handed over before out of their files (docs/settings.md).
    const passSecret = new SigningSecret(this, 'PassSecret', {
      description: 'Slipway: signs what lets jobs at their files',
      key,
      reason: 'Jobs wait for weeks with what it signed: only an operator can choose the moment.',
    });
    const cursorSecret = production ? this.#makeCursorSecret(key) : undefined;
    const passes = passSecret.secretValue.unsafeUnwrap();
    this.signingKeys = {
      passes,
      // Elsewhere a secret less is worth more than functions that cannot sign passes
      // (docs/decisions/0114). A key of its own all the same, so that neither is valid as the other.
      cursors: cursorSecret?.secretValue.unsafeUnwrap() ?? `cursors:${passes}`,
    };
    const trusted = identity
      ? { identity, command }
      : this.#makeDirectory(production, consoleOrigin);
    this.identity = trusted.identity;
    this.command = trusted.command;
    this.signInHost = 'signInHost' in trusted ? trusted.signInHost : undefined;
    // A failed creation rolls back, but cannot remove protected resources. So the table comes last.
    const others = [this.files, this.events, this.hpcSecrets, passSecret];
    this.#ownTable.node.addDependency(...others, ...(cursorSecret ? [cursorSecret] : []));
    this.#writeOutputs();
  }

  /** Replacing it only interrupts paging. */
  #makeCursorSecret(key: IKey | undefined): SigningSecret {
    return new SigningSecret(this, 'CursorSecret', {
      description: 'Slipway: signs the cursors in lists',
      key,
      reason:
        "It guards no data: a forged cursor could only start its caller's own list elsewhere.",
    });
  }

  /** Users are data, so they must survive a new deployment of the service. */
  #makeDirectory(production: boolean, signInFrom: string | undefined): UserDirectory {
    const directory = new UserDirectory(this, 'Directory', { production, signInFrom });
    this.#ownTable.node.addDependency(directory);
    new CfnOutput(this, 'UserPoolId', { value: directory.poolId });
    new CfnOutput(this, 'UserPoolClientId', { value: directory.clientId });
    return directory;
  }

  #writeOutputs(): void {
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    if (this.key) new CfnOutput(this, 'KeyArn', { value: this.key.keyArn });
    new CfnOutput(this, 'InputsBucket', { value: this.files.inputs.bucketName });
    new CfnOutput(this, 'ResultsBucket', { value: this.files.results.bucketName });
    new CfnOutput(this, 'EventBusName', { value: this.events.eventBusName });
    for (const [system, secret] of this.hpcSecrets.bySystem) {
      new CfnOutput(this, `${toPascalCase(system)}Credentials`, { value: secret.secretArn });
    }
  }
}

/**
 * Without permission for this key, other permissions allow no reading. It rotates automatically, and
 * older data stays readable.
 */
function makeKey(scope: Construct, production: boolean): Key {
  return new Key(scope, 'Key', {
    description: 'Slipway: table, files and secrets',
    enableKeyRotation: true,
    pendingWindow: Duration.days(production ? 30 : 7),
    removalPolicy: keepData(production),
  });
}

function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface SigningSecretProps {
  readonly description: string;
  readonly key: IKey | undefined;
  /** Why AWS does not rotate it. */
  readonly reason: string;
}

/** A random text with which the service signs what it hands out. */
class SigningSecret extends Secret {
  constructor(scope: Construct, id: string, { description, key, reason }: SigningSecretProps) {
    super(scope, id, {
      description,
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      ...(key && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  }
}
