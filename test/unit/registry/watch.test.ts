import { expect } from 'chai';
import type { StatusError } from '../../../src/machinery/errors/index.ts';
import { parseWatchStart, type WatchStart, watchObjects } from '../../../src/registry/index.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { configMap } from '../../support/objects.ts';
import { type ListSettings, parse, TestRegistry } from '../../support/registry.ts';

const configMaps = 'v1/configmaps';

/** Old events are delivered in a turn of their own. */
const delivered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('watchObjects', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open();
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  /** Follows a selection and notes what comes as `TYPE name`. */
  const follow = (start: WatchStart, settings: ListSettings = {}) => {
    const events: string[] = [];
    const errors: StatusError[] = [];
    const watch = watchObjects(
      registry.served(configMaps).store,
      { ...registry.select(configMaps, settings), start },
      {
        onEvent: ({ type, object }) => void events.push(`${type} ${parse(object.bytes).metadata.name}`),
        onInitialEnd: (revision) => void events.push(`END ${revision}`),
        onError: (error) => void errors.push(error),
      },
    );
    return { events, errors, watch };
  };
  const label = (name: string, labels: Record<string, string>) =>
    registry.change(configMaps, name, ({ metadata }) => Object.assign(metadata, { labels }));

  it('begins with the present state, then what changes', async () => {
    await registry.create(configMaps, configMap('b'));
    await registry.create(configMaps, configMap('a'));
    const { events } = follow('state');
    await label('a', { x: '1' });
    await registry.remove(configMaps, 'b');
    expect(events).to.deep.equal(['ADDED a', 'ADDED b', 'END 3', 'MODIFIED a', 'DELETED b']);
  });

  const initial = (notOlderThan: number | 'most-recent', isSent = true) => ({ notOlderThan, isSent });

  it('waits for the most recent state of the store', async () => {
    await registry.create(configMaps, configMap('a'));
    await using other = await TestRegistry.open({ storage: registry.storage });
    const events: string[] = [];
    const written = registry.watchCache.revision + 1;
    watchObjects(
      other.served(configMaps).store,
      { ...other.select(configMaps), start: initial(written) },
      {
        onEvent: ({ type, object }) => void events.push(`${type} ${parse(object.bytes).metadata.name}`),
        onInitialEnd: (revision) => void events.push(`END ${revision}`),
        onError: () => {},
      },
    );
    await delivered();
    expect(events).to.deep.equal([]);
    await registry.create(configMaps, configMap('b'));
    await delivered();
    await registry.create(configMaps, configMap('c'));
    expect(events).to.deep.equal(['ADDED a', 'ADDED b', `END ${written}`, 'ADDED c']);
  });

  it('begins without the state when that is asked for', async () => {
    await registry.create(configMaps, configMap('a'));
    const { events } = follow(initial('most-recent', false));
    await delivered();
    await registry.create(configMaps, configMap('b'));
    expect(events).to.deep.equal(['ADDED b']);
  });

  it('says that a state did not come', async () => {
    const { events, errors } = follow(initial(99));
    await delivered();
    registry.clock.advance(3000);
    await delivered();
    expect(events).to.deep.equal([]);
    expect(errors.map(({ status }) => [status.code, status.reason])).to.deep.equal([[504, 'Timeout']]);
  });

  it('begins after a version', async () => {
    const { metadata } = await registry.create(configMaps, configMap('a'));
    await registry.create(configMaps, configMap('b'));
    const { events } = follow(Number(metadata.resourceVersion));
    await delivered();
    expect(events).to.deep.equal(['ADDED b']);
  });

  it('tells when the version is gone', async () => {
    await registry.create(configMaps, configMap('a'));
    await using later = await TestRegistry.open({ storage: registry.storage });
    await registry.storage.compact(registry.watchCache.revision);
    const errors: StatusError[] = [];
    watchObjects(
      later.served(configMaps).store,
      { ...later.select(configMaps), start: 1 },
      { onEvent() {}, onError: (error) => void errors.push(error) },
    );
    await delivered();
    expect(errors.map(({ status }) => [status.code, status.reason, status.message])).to.deep.equal([
      [410, 'Expired', 'too old resource version: 1'],
    ]);
  });

  it('shows objects that begin and cease to fit a selector as added and deleted', async () => {
    const { events } = follow('state', { labels: 'app=x' });
    await registry.create(configMaps, configMap('a'));
    await label('a', { app: 'x' });
    await label('a', { app: 'x', more: '1' });
    await label('a', { app: 'y' });
    await label('a', { app: 'x' });
    await registry.remove(configMaps, 'a');
    expect(events).to.deep.equal(['END 1', 'ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED a', 'DELETED a']);
  });

  it('follows one name in one namespace', async () => {
    const { events } = follow('state', { fields: 'metadata.name=a', namespace: 'default' });
    await registry.create(configMaps, configMap('ab'));
    await registry.create(configMaps, configMap('a'));
    await registry.create(configMaps, configMap('a'), { namespace: 'other' });
    expect(events).to.deep.equal(['END 1', 'ADDED a']);
  });

  it('follows one name in all namespaces', async () => {
    const { events } = follow('state', { fields: 'metadata.name=a' });
    await registry.create(configMaps, configMap('a'));
    await registry.create(configMaps, configMap('a'), { namespace: 'other' });
    expect(events).to.deep.equal(['END 1', 'ADDED a', 'ADDED a']);
  });

  it('follows one namespace', async () => {
    const { events } = follow('state', { namespace: 'other' });
    await registry.create(configMaps, configMap('a'));
    await registry.create(configMaps, configMap('b'), { namespace: 'other' });
    await registry.create(configMaps, configMap('c'), { namespace: 'others' });
    expect(events).to.deep.equal(['END 1', 'ADDED b']);
  });

  it('shows nothing of dry runs, nor of updates that change nothing', async () => {
    await registry.create(configMaps, configMap('a'));
    const { events } = follow(registry.watchCache.revision);
    await registry.create(configMaps, configMap('b'), { isDryRun: true });
    await registry.change(configMaps, 'a', () => {});
    await registry.remove(configMaps, 'a', {}, { isDryRun: true });
    expect(events).to.deep.equal([]);
  });

  it('ends when it is closed', async () => {
    const { events, watch } = follow('state');
    watch.close();
    await registry.create(configMaps, configMap('a'));
    expect(events).to.deep.equal([]);
  });
});

describe('parseWatchStart', () => {
  const cases: [text: string, sendInitialEvents: boolean | undefined, start: WatchStart][] = [
    ['', undefined, { notOlderThan: 'most-recent', isSent: true }],
    ['0', undefined, 'state'],
    ['00', undefined, 'state'],
    ['7', undefined, 7],
    ['', true, { notOlderThan: 'most-recent', isSent: true }],
    ['0', true, 'state'],
    ['7', true, { notOlderThan: 7, isSent: true }],
    ['', false, { notOlderThan: 'most-recent', isSent: false }],
    ['0', false, { notOlderThan: 0, isSent: false }],
    ['7', false, 7],
  ];
  for (const [text, sendInitialEvents, start] of cases) {
    it(`takes "${text}" and ${sendInitialEvents} for ${JSON.stringify(start)}`, () => {
      expect(parseWatchStart(text, sendInitialEvents)).to.deep.equal(start);
    });
  }

  for (const text of ['x', '-1', '1.5', ' 1', '1e3']) {
    it(`refuses "${text}"`, () =>
      expectStatus(() => parseWatchStart(text), {
        code: 500,
        message: `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`,
      }));
  }
});
