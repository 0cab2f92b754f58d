import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  CheckpointStore,
  type ConfigSource,
  chooseConfig,
} from '../../../../src/nodeagent/dynamic-config/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { source } from './sources.ts';

const loadError = 'failed to load config, see NodeAgent log for details';
const validateError = 'failed to validate config, see NodeAgent log for details';

describe('chooseConfig', () => {
  let folder: TemporaryDirectory;
  let store: CheckpointStore;
  /** Files that cannot be used, by the last parts of their paths. */
  let broken: Map<string, 'load' | 'validate'>;
  const assigned = source({ resourceVersion: '8' });
  const good = source();

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    store = new CheckpointStore(join(folder.path, 'a', 'dynamic'), orchDialect);
    await store.prepare();
    broken = new Map();
  });
  afterEach(() => folder.remove());

  const assign = async (name: 'assigned' | 'last-known-good', which: ConfigSource): Promise<void> => {
    await store.save(which, new Map([['main', '']]));
    await store.write(name, which);
  };
  const choose = async () => {
    const load = async (path: string) => {
      const config = path.split('/').slice(-2).join('/');
      const failure = broken.get(config);
      return failure === undefined
        ? ({ kind: 'loaded', config } as const)
        : ({ kind: 'refused', failure, detail: 'why' } as const);
    };
    return chooseConfig({ store, load, dialect: orchDialect });
  };

  it('takes the local one when nothing was assigned, and makes its folders', async () => {
    const state = { assigned: undefined, lastKnownGood: undefined };
    expect(await choose()).to.deep.equal({ config: undefined, state, complaints: [] });
    await rm(join(folder.path, 'a'), { recursive: true });
    expect((await choose()).config).to.equal(undefined);
    const meta = join(folder.path, 'a/dynamic/store/meta');
    expect(await readdir(meta)).to.have.members(['assigned', 'last-known-good']);
  });

  it('takes the assigned one', async () => {
    await assign('assigned', assigned);
    await assign('last-known-good', good);
    expect(await choose()).to.deep.equal({
      config: '8/main',
      state: { assigned, active: assigned, lastKnownGood: good },
      complaints: [],
    });
  });

  it('takes the last known good one when the assigned one cannot be used, and says why', async () => {
    await assign('assigned', assigned);
    await assign('last-known-good', good);
    broken.set('8/main', 'validate');
    expect(await choose()).to.deep.equal({
      config: '7/main',
      state: { assigned, active: good, lastKnownGood: good, error: validateError },
      complaints: [`${validateError}, error: why`],
    });
  });

  it('takes the local one when there is nothing good', async () => {
    await assign('assigned', assigned);
    broken.set('8/main', 'load');
    const none = await choose();
    expect([none.config, none.state.error, none.state.active]).to.deep.equal([
      undefined,
      loadError,
      undefined,
    ]);
    await assign('last-known-good', good);
    broken.set('7/main', 'validate');
    const both = await choose();
    expect([both.config, both.state.error, both.state.active]).to.deep.equal([
      undefined,
      loadError,
      undefined,
    ]);
    expect(both.complaints).to.have.length(2);
  });

  it('misses a checkpoint that was removed', async () => {
    await assign('assigned', assigned);
    await rm(join(store.pathOf(assigned), '..'), { recursive: true });
    const { state, complaints } = await choose();
    expect(state.error).to.equal(loadError);
    expect(complaints).to.deep.equal([
      `${loadError}, error: no checkpoint for source /api/v1/namespaces/ns/configmaps/map, UID: u, ResourceVersion: 8`,
    ]);
  });

  it('goes on when a record is damaged, and keeps all versions then', async () => {
    await assign('assigned', assigned);
    await assign('last-known-good', good);
    const meta = join(folder.path, 'a/dynamic/store/meta');
    await writeFile(join(meta, 'assigned'), 'x'.repeat(70_000));
    const { config, state } = await choose();
    expect(config).to.equal('7/main');
    expect(state).to.deep.include({ assigned: undefined, active: good, isDamaged: true, error: loadError });
    expect(await store.has(assigned)).to.equal(true);
    await writeFile(join(meta, 'last-known-good'), '{');
    expect((await choose()).complaints).to.have.length(2);
  });

  it('removes versions that nothing names, and drafts', async () => {
    await assign('assigned', assigned);
    await assign('last-known-good', good);
    for (const old of [source({ resourceVersion: '5' }), source({ uid: 'gone' })]) {
      await store.save(old, new Map([['main', '']]));
    }
    const checkpoints = join(folder.path, 'a/dynamic/store/checkpoints');
    await mkdir(join(checkpoints, 'u', '9.new'));
    await choose();
    expect(await readdir(checkpoints)).to.deep.equal(['u']);
    expect(await readdir(join(checkpoints, 'u'))).to.have.members(['7', '8']);
  });

  it('fails where its folder cannot be', async () => {
    await writeFile(join(folder.path, 'file'), '');
    store = new CheckpointStore(join(folder.path, 'file'), orchDialect);
    const failure = await choose().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(Error).with.property('message').that.includes('not a directory');
  });
});
