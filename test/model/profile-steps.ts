import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { profileKey } from '#lib/table/keys.ts';
import type { StepOf } from './history.ts';
import { places } from './places.ts';
import type { Scene, Touched } from './scene.ts';

/** Makes a profile one from before the systems were noted on which its user was welcomed. */
export async function age(
  scene: Scene,
  step: StepOf<'age a profile'>,
): Promise<Touched | undefined> {
  const user = scene.nameOf(step.user);
  if (!scene.model.welcomed.has(user)) return undefined;
  const { client, name: TableName } = scene.table;
  await client.send(
    new UpdateCommand({
      TableName,
      Key: profileKey(user),
      UpdateExpression: 'REMOVE welcomed_on',
    }),
  );
  return { user, places };
}
