/** Where the input lies, and where the result goes to. */
export const buckets = ['inputs', 'results'];
export const inputKey = '42/input.zip';

export const credentials = {
  accessKeyId: 'local',
  secretAccessKey: 'local',
  region: 'eu-central-1',
};
