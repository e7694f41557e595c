import { Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Acknowledges the finding of cdk-nag about the star in an ARN of a statement. */
export function acknowledgeStar(scope: Construct, arn: string, reason: string): void {
  const named = nameForNag(Stack.of(scope).resolve(arn));
  Validations.of(scope).acknowledge({ id: `AwsSolutions-IAM5[Resource::${named}]`, reason });
}

/** Writes an ARN as cdk-nag does, with references in angle brackets. */
function nameForNag(resolved: unknown): string {
  const parts: unknown = Object(Object(resolved)['Fn::Join'])[1];
  if (!Array.isArray(parts)) return String(resolved);
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
}
