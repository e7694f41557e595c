/** The bucket of the input and the bucket of the result. */
export const buckets = ['inputs', 'results'];
export const inputKey = '42/input.zip';

export const credentials = {
  accessKeyId: 'local',
  secretAccessKey: 'local',
  region: 'eu-central-1',
};
