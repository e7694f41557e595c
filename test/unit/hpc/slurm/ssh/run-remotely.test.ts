import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CredentialsRefusedError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { runRemotely } from '#lib/hpc/slurm/ssh/run-remotely.ts';
import {
  type LoginNodeServer,
  makeStranger,
  markOf,
  type Play,
  printing,
  startLoginNode,
} from './login-node-server.ts';

const command = { program: 'squeue', parameters: ['--json'], seconds: 20 };

function run({ reach, sshKey }: LoginNodeServer, more: Partial<typeof command> = {}) {
  return runRemotely(reach, { sshKey }, { ...command, ...more });
}

describe('a command on a login node', () => {
  it('tells what it printed and how it ended', async () => {
    const node = await startLoginNode(printing('{}', { errors: 'a warning', code: 3 }));
    expect(await run(node)).toEqual({ code: 3, output: '{}', errors: 'a warning' });
  });

  it('is read without what banners and profiles print', async () => {
    const node = await startLoginNode((line, channel) => {
      channel.write('Quota: 3 GB of 5 GB\n{"jobs": []}\n');
      channel.stderr.write('Welcome to the cluster.\n');
      printing('{"jobs": [1]}')(line, channel);
    });
    expect(await run(node)).toMatchObject({ output: '{"jobs": [1]}', errors: '' });
  });

  it('says what the login shell says if that runs nothing', async () => {
    const node = await startLoginNode((_, channel) => {
      channel.write('This account is currently not available.\n');
      channel.exit(1);
      channel.end();
    });
    await expect(run(node)).rejects.toThrow(/ran no command.*currently not available/);
  });

  it('says that it had no time left', async () => {
    const node = await startLoginNode(printing('', { code: 124 }));
    await expect(run(node)).rejects.toThrow('ended after 20 s without an answer');
  });

  it('has no answer if the connection is lost, and the next command has another connection', async () => {
    let isFirst = true;
    const play: Play = (line, channel) => {
      if (!isFirst) return printing('good')(line, channel);
      isFirst = false;
      channel.write(`${markOf(line)}\n`);
      return node.hangUp();
    };
    const node: LoginNodeServer = await startLoginNode(play);
    await expect(run(node)).rejects.toThrow(SystemUnavailableError);
    expect(await run(node)).toMatchObject({ output: 'good' });
    expect(node.connections()).toBe(2);
  });
});

describe('a connection to a login node', () => {
  it('is one for all commands, with at most eight at once', async () => {
    const node = await startLoginNode(async (line, channel) => {
      await sleep(20);
      printing('good')(line, channel);
    });
    const ends = await Promise.all(Array.from({ length: 40 }, () => run(node)));
    expect(ends.map(({ output }) => output)).toEqual(ends.map(() => 'good'));
    expect(node.connections()).toBe(1);
    expect(node.mostChannels()).toBeLessThanOrEqual(8);
  });

  it('goes on with fewer commands at once where sshd allows fewer', async () => {
    const node = await startLoginNode(async (line, channel) => {
      await sleep(10);
      printing('good')(line, channel);
    });
    node.allowChannels(4);
    const ends = await Promise.all(Array.from({ length: 12 }, () => run(node)));
    expect(ends.map(({ output }) => output)).toEqual(ends.map(() => 'good'));
    expect(node.mostChannels()).toBe(4);
  });

  it('is tried again where sshd drops it at random', async () => {
    const node = await startLoginNode(printing('good'));
    node.drop(2);
    expect(await run(node)).toMatchObject({ output: 'good' });
    expect(node.connections()).toBe(3);
  });

  it('is not tried again for a while after a refusal', async () => {
    const node = await startLoginNode(printing('good'));
    const stranger = await startLoginNode(printing('good'));
    const asStranger = () => runRemotely(node.reach, { sshKey: stranger.sshKey }, command);
    await expect(asStranger()).rejects.toThrow(CredentialsRefusedError);
    await expect(asStranger()).rejects.toThrow('permission denied');
    expect(node.connections()).toBe(1);
    // Another key is tried at once.
    expect(await run(node)).toMatchObject({ output: 'good' });
  });

  it('is refused if the host key is not pinned, in words', async () => {
    const node = await startLoginNode(printing('good'));
    const pinned = { ...node, reach: { ...node.reach, hostKeys: [makeStranger()] } };
    await expect(run(pinned)).rejects.toThrow(/host key that the catalog does not name: SHA256:/);
    const several = [makeStranger(), ...node.reach.hostKeys];
    const both = { ...node, reach: { ...node.reach, hostKeys: several } };
    expect(await run(both)).toMatchObject({ output: 'good' });
  });

  it('says that a key cannot be read', async () => {
    const node = await startLoginNode(printing('good'));
    const broken = { ...node, sshKey: 'AAAA' };
    await expect(run(broken)).rejects.toThrow('The sshKey cannot be read');
  });
});
