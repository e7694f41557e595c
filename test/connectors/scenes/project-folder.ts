import { expect } from 'vitest';
import type { Scene } from '../scene.ts';
import type { Stage } from '../stage.ts';
import type { StagedJob } from '../staged-system.ts';

const maxKilobytes = 50;

export const projectFolder: Scene = {
  name: 'project-folder',
  title:
    'what a job leaves in the folder of its project is there for the next job of another member, who can change it, and for no stranger; over its bound it takes no jobs',
  isLong: true,
  entry: { keep: { maxKilobytes } },
  async play(ada) {
    const [ben, eve] = [await ada.for('another member'), await ada.for('a stranger')];
    await run(ada, 'cd "$SLIPWAY_PROJECT_DIR" && mkdir models && echo one >models/first');
    const second = await run(
      ben,
      'cd "$SLIPWAY_PROJECT_DIR" && cat models/first && echo two >>models/first && echo 3 >models/third',
    );
    expect(await ben.readText(second, 'stdout')).toBe('one\n');
    const third = await run(ada, 'cat "$SLIPWAY_PROJECT_DIR"/models/*');
    expect(await ada.readText(third, 'stdout')).toBe('one\ntwo\n3\n');
    await expectFigures(ada, { length: 10, files: 2, full: false });
    expect(await listNames(ben)).toEqual(['models/first', 'models/third']);
    for (const path of ['', 'files/', 'files/some/']) {
      expect(await eve.askForFolder(path)).toMatchObject({
        status: 404,
        text: expect.stringContaining('folder-not-found'),
      });
    }
    const filling = await ada.submit({
      script: `head -c ${(maxKilobytes + 1) * 1000} /dev/zero >"$SLIPWAY_PROJECT_DIR/large"; sleep 6`,
    });
    await ada.waitForEnd(filling);
    expect(await ada.readText(filling, 'stderr')).toContain('more than the 50000');
    await expectFigures(ada, { full: true });
    await (inReach(await ada.askForFolder()) ? clearUp : explainThatOnlyJobsCan)(ada, ben);
  },
};

async function run(stage: Stage, script: string): Promise<StagedJob> {
  const job = await stage.submit({ script });
  expect(await stage.waitForEnd(job)).toMatchObject({ failed: false });
  return job;
}

async function expectFigures(stage: Stage, figures: object): Promise<void> {
  await stage.waitFor('the folder is measured', async () => {
    const { text } = await stage.askForFolder();
    return JSON.parse(text).length !== null || undefined;
  });
  const { status, text } = await stage.askForFolder();
  expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 200, ...figures });
}

const inReach = ({ text }: { readonly text: string }) => JSON.parse(text).in_reach === true;

async function listFiles(stage: Stage): Promise<{ fileid: string; filename: string }[]> {
  const { text } = await stage.askForFolder('files/');
  return JSON.parse(text);
}

const listNames = async (stage: Stage) => (await listFiles(stage)).map(({ filename }) => filename);

/** Members download and delete single files, and those who lead the project everything. */
async function clearUp(ada: Stage, ben: Stage): Promise<void> {
  await expect(ben.submit({ script: 'true' })).rejects.toThrow('folder-full');
  const [first, large] = ['models/first', 'large'].map(
    (wanted) => async () =>
      (await listFiles(ben)).find(({ filename }) => filename === wanted)?.fileid,
  );
  const firstId = await first?.();
  expect(await ben.askForFolder(`files/${firstId}/`)).toEqual({ status: 200, text: 'one\ntwo\n' });
  const removed = await ben.askForFolder(`files/${await large?.()}/`, 'DELETE');
  expect({ ...removed, ...JSON.parse(removed.text) }).toMatchObject({ status: 200, full: false });
  await run(ada, 'ls "$SLIPWAY_PROJECT_DIR"');
  expect(await ben.askForFolder('', 'DELETE')).toMatchObject({ status: 403 });
  const leader = await ada.for('a leader');
  const asked = await leader.askForFolder('', 'DELETE');
  expect(asked).toMatchObject({ status: 409, text: expect.stringContaining('all 2 files') });
  expect(await listNames(ada)).toHaveLength(2);
  const emptied = await leader.askForFolder(`?confirm=${leader.account.project}`, 'DELETE');
  expect(JSON.parse(emptied.text)).toMatchObject({ length: 0, files: 0 });
  expect(await listNames(ada)).toEqual([]);
}

/** A job finds the folder over its bound, and never begins. One that says so makes room. */
async function explainThatOnlyJobsCan(ada: Stage, ben: Stage): Promise<void> {
  for (const path of ['files/some/', '']) {
    const leader = await ada.for('a leader');
    const refused = await leader.askForFolder(path, 'DELETE');
    expect(refused.text).toContain('folder-out-of-reach');
  }
  const late = await ben.submit({ script: 'echo begun' });
  expect(await ben.waitForEnd(late)).toMatchObject({ failed: true });
  expect(await ben.readText(late, 'stdout')).toBe('');
  expect(await ben.readText(late, 'stderr')).toMatch(/more than the 50000 .*SLIPWAY_MAKES_ROOM/);
  await run(ben, 'SLIPWAY_MAKES_ROOM=yes; rm "$SLIPWAY_PROJECT_DIR/large"');
  await expectFigures(ada, { length: 10, files: 2, full: false });
  await run(ada, 'true');
}
