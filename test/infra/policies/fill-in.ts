import { render } from '../render.ts';
import { joinServing, type Templates } from '../synthesize.ts';

export const region = 'eu-central-1';
export const account = '123456789012';

const pseudo = new Map([
  ['AWS::Partition', 'aws'],
  ['AWS::Region', region],
  ['AWS::AccountId', account],
  ['AWS::URLSuffix', 'amazonaws.com'],
]);

const arn = (service: string, resource: string) =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** What CloudFormation gives for resources of a kind, by the attribute that is asked for. */
const attributes: Readonly<Record<string, Readonly<Record<string, (id: string) => string>>>> = {
  'AWS::DynamoDB::GlobalTable': tableAttributes(),
  'AWS::DynamoDB::Table': tableAttributes(),
  'AWS::Events::EventBus': {
    Arn: (id) => arn('events', `event-bus/${id}`),
    Name: (id) => id,
    Ref: (id) => id,
  },
  'AWS::KMS::Key': { Arn: (id) => arn('kms', `key/${id}`) },
  'AWS::Logs::LogGroup': { Arn: (id) => arn('logs', `log-group:${id}:*`), Ref: (id) => id },
  'AWS::S3::Bucket': {
    Arn: (id) => `arn:aws:s3:::${id.toLowerCase()}`,
    Ref: (id) => id.toLowerCase(),
  },
  'AWS::SQS::Queue': { Arn: (id) => arn('sqs', id) },
  'AWS::SecretsManager::Secret': { Ref: (id) => arn('secretsmanager', `secret:${id}-AbCdEf`) },
};

function tableAttributes() {
  return {
    Arn: (id: string) => arn('dynamodb', `table/${id}`),
    StreamArn: (id: string) => arn('dynamodb', `table/${id}/stream/2026-01-01T00:00:00.000`),
    Ref: (id: string) => id,
  };
}

/** A part of a template as it is once it is deployed: names and ARNs in the place of references. */
export function fillIn(value: unknown, templates: Templates): unknown {
  const text = JSON.stringify(render(value, templates));
  const filled = text.replaceAll(/<([\w:]+)(?:\.(\w+))?>/g, (_, id: string, attribute = 'Ref') =>
    resolve(id, attribute, templates),
  );
  return JSON.parse(filled);
}

function resolve(id: string, attribute: string, templates: Templates): string {
  const known = pseudo.get(id);
  if (known !== undefined) return known;
  const type =
    (templates.data.Resources[id] ?? joinServing(templates).Resources[id])?.Type ?? 'nothing';
  const give = attributes[type]?.[attribute];
  if (!give) throw new Error(`What is ${attribute} of ${id}, which is ${type}?`);
  return give(id);
}
