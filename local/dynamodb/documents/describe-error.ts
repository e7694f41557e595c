import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { ServiceError } from '../refusals/service-error.ts';

/** The errors that anybody tells apart by their class; the others have a name. */
const classes = {
  ConditionalCheckFailedException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
};

/** A refusal as a client of the AWS SDK throws it. */
export function describeError({ type, status, message, body }: ServiceError): Error {
  const { __type, message: _, ...details } = body;
  const options = {
    name: type,
    message,
    $fault: status < 500 ? ('client' as const) : ('server' as const),
    $metadata: { httpStatusCode: status },
  };
  const known = Object.entries(classes).find(([name]) => name === type)?.[1];
  const error = known ? new known(options) : new DynamoDBServiceException(options);
  return Object.assign(error, JSON.parse(JSON.stringify(details)));
}
