import { describe, expect, it } from 'vitest';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import {
  centre,
  findAll,
  findByPath,
  makeApp,
  synthesize,
  type TemplateJson,
  withIssuer,
} from './synthesize.ts';

const dev = synthesize(centre).data;
const prod = synthesize({ ...centre, stage: 'prod' }).data;
const [keyId, key] = findByPath(dev, 'Key/Resource');

/** But for a first creation that fails: what it made is empty, and the next try makes it again. */
const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };

describe('what holds data', () => {
  it('keeps its logical ids: another id is another, empty resource', () => {
    const ids = Object.entries(prod.Resources)
      .filter(([, { Type }]) => !Type.endsWith('Policy'))
      .map(([id, { Type }]) => `${Type} ${id}`);
    // Another system of the catalog may bring another secret; none of these may go.
    const pinned = [
      'AWS::Cognito::UserPool DirectoryUsers36265AA6',
      'AWS::Cognito::UserPoolClient DirectoryUsersClient036DCB47',
      'AWS::Cognito::UserPoolGroup DirectoryAdministratorsEB41B509',
      'AWS::DynamoDB::Table TableCD117FA1',
      'AWS::Events::EventBus EventsD32975C2',
      'AWS::KMS::Key Key961B73FD',
      'AWS::S3::Bucket FilesAccessLogsAAAD0C84',
      'AWS::S3::Bucket FilesInputsE41C51D0',
      'AWS::S3::Bucket FilesResultsB0854136',
      'AWS::SecretsManager::Secret CredentialshpconeC5A41D70',
      'AWS::SecretsManager::Secret Credentialshpctwo8986AB59',
      'AWS::SecretsManager::Secret CursorSecretABAE1358',
      'AWS::SecretsManager::Secret PassSecretFA6538E7',
    ];
    expect(pinned.filter((id) => !ids.includes(id))).toEqual([]);
  });

  const keptTypes = [
    'AWS::Cognito::UserPool',
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
    'AWS::S3::Bucket',
  ];

  it.each(keptTypes)('outlives its stack in production: %s', (type) => {
    const found = findAll(prod, type);
    expect(found.length).toBeGreaterThan(0);
    for (const [, resource] of found) {
      expect(resource).toMatchObject(kept);
    }
  });

  it.each(keptTypes)('goes with its stack elsewhere: %s', (type) => {
    for (const [, resource] of findAll(dev, type)) expect(resource.DeletionPolicy).toBe('Delete');
  });

  it.each([
    ['prod', true],
    ['dev', false],
  ])('sits in a stack that in %s is protected: %s', (stage, isProtected) => {
    const app = makeApp({ stage, allowSimulator: 'true' });
    const { data, service } = addStacks(app, readConfig(app.node));
    expect(data.terminationProtection).toBe(isProtected);
    expect([data.stackName, service.stackName]).toEqual([
      `slipway-${stage}-data`,
      `slipway-${stage}-service`,
    ]);
  });
});

it('makes the table last, which a creation that fails could not take away again', () => {
  const [tableId, table] = findByPath(prod, 'Table/Resource');
  const others = Object.keys(prod.Resources).filter((id) => id !== tableId);
  const [prodKeyId] = findByPath(prod, 'Key/Resource');
  expect([...(table.DependsOn ?? []), prodKeyId].toSorted()).toEqual(others.toSorted());
});

describe('the key', () => {
  it('rotates', () => {
    expect(key.Properties).toMatchObject({ EnableKeyRotation: true });
  });

  it('can be brought back for a month in production', () => {
    const [, { Properties }] = findByPath(prod, 'Key/Resource');
    expect(Properties).toMatchObject({ PendingWindowInDays: 30 });
  });
});

describe.each([
  ['Inputs', 'inputs/'],
  ['Results', 'results/'],
])('the bucket %s', (name, prefix) => {
  const [, bucket] = findByPath(dev, `Files/${name}/Resource`);

  it('is closed to the public', () => {
    expect(bucket.Properties).toMatchObject(closed);
  });

  it('is encrypted with the key of the data', () => {
    expect(bucket.Properties.BucketEncryption).toEqual({
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: {
            SSEAlgorithm: 'aws:kms',
            KMSMasterKeyID: { 'Fn::GetAtt': [keyId, 'Arn'] },
          },
        },
      ],
    });
  });

  it('logs who asked', () => {
    const [logsId] = findByPath(dev, 'Files/AccessLogs/Resource');
    expect(bucket.Properties.LoggingConfiguration).toEqual({
      DestinationBucketName: { Ref: logsId },
      LogFilePrefix: prefix,
    });
  });
});

const abortsUploads = { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } };

describe('the buckets', () => {
  it.each([
    ['Files/AccessLogs', [{ ExpirationInDays: 90, ...abortsUploads }]],
    [
      'Files/Inputs',
      [
        {
          ExpirationInDays: 90,
          NoncurrentVersionExpiration: { NoncurrentDays: 7 },
          ...abortsUploads,
        },
      ],
    ],
    [
      'Files/Results',
      [
        {
          NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          ExpiredObjectDeleteMarker: true,
          ...abortsUploads,
        },
        {
          Prefix: 'relay/',
          ExpirationInDays: 1,
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        },
      ],
    ],
  ])('%s lets go of what nobody needs', (path, rules) => {
    const [, { Properties }] = findByPath(dev, `${path}/Resource`);
    expect(Properties.LifecycleConfiguration).toEqual({
      Rules: rules.map((rule) => ({ ...rule, Status: 'Enabled' })),
    });
  });

  it.each(['Inputs', 'Results'])(
    'keep old versions of %s, so that a deletion can be undone',
    (name) => {
      expect(findByPath(dev, `Files/${name}/Resource`)[1].Properties).toMatchObject({
        VersioningConfiguration: { Status: 'Enabled' },
      });
    },
  );

  it('never let a result expire that its job still has', () => {
    const { LifecycleConfiguration } = findByPath(dev, 'Files/Results/Resource')[1].Properties;
    const { Rules } = LifecycleConfiguration as { Rules: Record<string, unknown>[] };
    const expiring = Rules.filter((rule) => 'ExpirationInDays' in rule);
    // Results stand under their owner's digits, and copies for one download under this.
    expect(expiring.map(({ Prefix }) => Prefix)).toEqual(['relay/']);
  });

  it.each(['AccessLogs', 'Inputs', 'Results'])('refuse anything but TLS 1.2: %s', (name) => {
    const [, policy] = findByPath(dev, `Files/${name}/Policy/Resource`);
    expect(policy.Properties.PolicyDocument).toMatchObject({
      Statement: expect.arrayContaining([
        denied({ Bool: { 'aws:SecureTransport': 'false' } }),
        denied({ NumericLessThan: { 's3:TlsVersion': 1.2 } }),
      ]),
    });
  });

  it('keep the log of access closed too', () => {
    expect(findByPath(dev, 'Files/AccessLogs/Resource')[1].Properties).toMatchObject(closed);
  });

  function denied(condition: unknown) {
    return expect.objectContaining({ Effect: 'Deny', Action: 's3:*', Condition: condition });
  }
});

const closed = {
  PublicAccessBlockConfiguration: {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  },
  OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
};

describe('the buckets of a stage that can be removed', () => {
  const emptiers = findAll(dev, 'Custom::S3AutoDeleteObjects');

  it.each(['AccessLogs', 'Inputs', 'Results'])('are emptied by their removal: %s', (name) => {
    const [bucketId] = findByPath(dev, `Files/${name}/Resource`);
    const [policyId] = findByPath(dev, `Files/${name}/Policy/Resource`);
    const [, emptier] =
      emptiers.find(([, { Properties }]) => Object(Properties.BucketName).Ref === bucketId) ?? [];
    // CloudFormation removes in the opposite order: first what empties the bucket and refuses every
    // further write, the delivery of logs too, then what let the logs in, then the bucket.
    expect(emptier?.DependsOn).toContain(policyId);
  });

  it('stay as they are in production', () => {
    expect(findAll(prod, 'Custom::S3AutoDeleteObjects')).toEqual([]);
  });
});

describe('the credentials of HPC systems', () => {
  it.each(catalog.systems.map(({ name }) => name))('%s: a secret that begins empty', (system) => {
    const [id, secret] = findByPath(dev, `Credentials/${system}/Resource`);
    expect(secret.Properties).toMatchObject({
      SecretString: '{}',
      KmsKeyId: { 'Fn::GetAtt': [keyId, 'Arn'] },
    });
    expect(secret.Properties).not.toHaveProperty('Name');
    expect(outputsOf(dev)).toContainEqual({ Ref: id });
  });

  it('outlive their stack in production', () => {
    for (const { name } of catalog.systems) {
      const [, secret] = findByPath(prod, `Credentials/${name}/Resource`);
      expect(secret).toMatchObject(kept);
    }
  });

  function outputsOf({ Outputs = {} }: TemplateJson): unknown[] {
    return Object.values(Outputs).map(({ Value }) => Value);
  }
});

describe('the signing secrets', () => {
  it.each(['CursorSecret', 'PassSecret'])('%s: AWS makes it up', (name) => {
    const [, secret] = findByPath(prod, `${name}/Resource`);
    expect(secret.Properties).toMatchObject({
      GenerateSecretString: { PasswordLength: 48 },
      KmsKeyId: { 'Fn::GetAtt': [findByPath(prod, 'Key/Resource')[0], 'Arn'] },
    });
  });

  it('are one in a stage for development, that of the passes', () => {
    expect(findByPath(dev, 'PassSecret/Resource')[0]).toBe(
      findByPath(prod, 'PassSecret/Resource')[0],
    );
    expect(() => findByPath(dev, 'CursorSecret/Resource')).toThrow();
  });
});

describe('the bus', () => {
  it('is one of its own', () => {
    expect(findAll(dev, 'AWS::Events::EventBus')).toHaveLength(1);
  });
});

describe('the user directory', () => {
  it('exists where no issuer is given', () => {
    const [, { Properties }] = findByPath(dev, 'Directory/Users/Resource');
    expect(Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      Policies: { PasswordPolicy: { MinimumLength: 12 } },
      Schema: expect.arrayContaining([
        expect.objectContaining({ Name: 'user_id', AttributeDataType: 'String', Mutable: false }),
      ]),
    });
    expect(Object.keys(dev.Outputs ?? {})).toEqual(
      expect.arrayContaining(['UserPoolId', 'UserPoolClientId']),
    );
  });

  it('signs in by password only on behalf of an administrator of the account', () => {
    const [, { Properties }] = findByPath(dev, 'Directory/Users/Client/Resource');
    expect(Properties.ExplicitAuthFlows).toEqual([
      'ALLOW_ADMIN_USER_PASSWORD_AUTH',
      'ALLOW_USER_SRP_AUTH',
      'ALLOW_REFRESH_TOKEN_AUTH',
    ]);
  });

  it('lets users change their address and nothing else of themselves', () => {
    const [, { Properties }] = findByPath(dev, 'Directory/Users/Client/Resource');
    expect(Properties.WriteAttributes).toEqual(['email']);
  });

  it('puts the user id into tokens, which Cognito leaves out unless the client may read it', () => {
    const [, { Properties }] = findByPath(dev, 'Directory/Users/Client/Resource');
    expect(Properties.ReadAttributes).toEqual(['custom:user_id', 'email', 'email_verified']);
  });

  it('gives codes to the command on the machine of its user, and to nobody else', () => {
    const [, { Properties }] = findByPath(dev, 'Directory/Users/Client/Resource');
    expect(Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid'],
      // The only host for which Cognito's reference allows plain HTTP.
      CallbackURLs: [18417, 18517, 28417].map((port) => `http://localhost:${port}/callback`),
    });
    expect(Properties).not.toHaveProperty('LogoutURLs');
    expect(findAll(dev, 'AWS::Cognito::UserPoolDomain')).toHaveLength(1);
  });

  it('has the group that makes administrators', () => {
    const [, { Properties }] = findByPath(dev, 'Directory/Administrators');
    expect(Properties).toMatchObject({ GroupName: 'slipway-admin' });
  });

  it('cannot be deleted in production', () => {
    const [, { Properties }] = findByPath(prod, 'Directory/Users/Resource');
    expect(Properties.DeletionProtection).toBe('ACTIVE');
  });

  it('does not exist where an issuer is given', () => {
    const trusting = synthesize(withIssuer).data;
    expect(findAll(trusting, 'AWS::Cognito::UserPool')).toEqual([]);
    expect(findAll(trusting, 'AWS::Cognito::UserPoolClient')).toEqual([]);
  });
});
