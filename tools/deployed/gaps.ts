/** Something the emulator cannot do. The run fails if it can, so that this list stays true. */
export interface Gap {
  readonly name: string;
  /** Part of the emulator's own message, or what it does instead. */
  readonly message: string;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>> | undefined;
}

/** A resource that the emulator cannot create, and that is left out of the deployment. */
export interface ResourceGap extends Gap {
  matches(resource: TemplateResource): boolean;
}

export const resourceGaps: readonly ResourceGap[] = [
  {
    name: 'alarms on more than one metric',
    message: 'Metrics (metric math) is not supported',
    matches: ({ Type, Properties }) =>
      Type === 'AWS::CloudWatch::Alarm' && Properties?.Metrics !== undefined,
  },
  {
    name: 'saved queries of logs',
    message: 'Unrecognized resource types: [AWS::Logs::QueryDefinition]',
    matches: ({ Type }) => Type === 'AWS::Logs::QueryDefinition',
  },
  ...['ComputeEnvironment', 'JobDefinition', 'JobQueue'].map((name) => ({
    name: `AWS Batch: ${name}`,
    message: `Unrecognized resource types: [AWS::Batch::${name}]`,
    matches: ({ Type }: TemplateResource) => Type === `AWS::Batch::${name}`,
  })),
];

/** `cdk destroy` empties only buckets with a tag of the CDK, so the run adds the tags itself. */
export const bucketTags: Gap = { name: 'tags of buckets', message: 'NoSuchTagSet' };

export const eventsOfUpdates: Gap = {
  name: 'events of an update',
  message: 'Events name resources that did not change. Change sets are right.',
};

/** Tests of the contract that fail on the emulator, by the end of their names. */
export const contractGaps: readonly Gap[] = [
  ...['4 GET //jobs/ is 404: an empty segment', '4 GET //jobs is 404: an empty segment'].map(
    (name) => ({ name, message: 'It drops an empty first segment of the path.' }),
  ),
];
