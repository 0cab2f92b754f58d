import { expect } from 'chai';
import { checkObjects } from '../../../src/app/maintain-store.ts';
import { orchProgram } from '../../../src/app/orch-program.ts';
import { startProgressLine } from '../../../src/app/progress-line.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';
import { makeValue } from '../../conformance/storage/values.ts';

describe('startProgressLine', () => {
  const io = (lines: string[], isTerminal: boolean) => ({
    env: {},
    home: undefined,
    isRoot: false,
    isTerminal,
    out() {},
    err: (text: string) => void lines.push(text),
  });

  it('overwrites a longer text, and shows at most ten a second', () => {
    const lines: string[] = [];
    let nowMs = 0;
    {
      using line = startProgressLine(io(lines, true), () => nowMs);
      line.show('long text');
      line.show('too soon');
      nowMs = 100;
      line.show('short');
    }
    expect(lines).to.deep.equal(['\rlong text', '\rshort    ', '\r     ', '\r']);
  });

  it('is silent in a pipe', () => {
    const lines: string[] = [];
    {
      using line = startProgressLine(io(lines, false));
      line.show('text');
    }
    expect(lines).to.deep.equal([]);
  });
});

describe('checkObjects', () => {
  it('names values that are no objects, and not more than a screenful', async () => {
    await using storage = openMemoryStorage();
    await storage.create('/registry/a', makeValue('a'));
    await storage.create('/registry/b', Buffer.from('{"resourceVersion":"" broken'));
    await storage.create('/registry/c', Buffer.from('{"kind":"K","resourceVersion":""}'));
    const { objectCount, revision, problems } = await checkObjects(storage, { root: '/registry/' });
    expect([objectCount, revision]).to.deep.equal([3, 4]);
    expect(problems).to.deep.equal([
      '/registry/b: is no JSON',
      '/registry/c: has resourceVersion undefined, not 4',
    ]);
    for (let index = 0; index < 40; index++) {
      await storage.create(`/registry/d${index}`, Buffer.from('{"resourceVersion":""'));
    }
    expect((await checkObjects(storage, { root: '/registry/' })).problems.length).to.equal(20);
  });
});

describe('orchProgram', () => {
  it('describes backup, restore and the commands of storage', () => {
    const names = (orchProgram.commands ?? []).flatMap(({ name, commands = [] }) => [
      name,
      ...commands.map((command) => command.name),
    ]);
    expect(names).to.include.members([
      'orch backup',
      'orch restore',
      'orch storage',
      'orch storage stats',
      'orch storage check',
      'orch storage compact',
      'orch storage migrate',
    ]);
  });
});
