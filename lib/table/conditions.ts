/** The condition of an item that must not exist yet. */
export const ifMissing = { ConditionExpression: 'attribute_not_exists(PK)' };

/** The condition of an item that must be as it was read. Revision 0 means that it was missing. */
export function ifRevision(seen: number) {
  return seen === 0
    ? ifMissing
    : { ConditionExpression: 'revision = :seen', ExpressionAttributeValues: { ':seen': seen } };
}
