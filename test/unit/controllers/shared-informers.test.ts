import { expect } from 'chai';
import { silentLogger } from '../../../src/base/index.ts';
import type { RestClient, RestRequest } from '../../../src/client/rest/index.ts';
import { SharedInformers } from '../../../src/controllers/shared-informers.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const pod = (name: string, more: object = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name, namespace: 'a', resourceVersion: '1', uid: name, ...more },
});
const controlled = (uid: string) => ({ ownerReferences: [{ uid: 'other' }, { uid, controller: true }] });

/** Informers over a server whose list has these objects and which tells of these changes afterwards. */
function informersOver(items: object[], changes: object[]) {
  const end = new AbortController();
  const lists: string[] = [];
  const client = {
    server: 'http://fake',
    async json({ path }: RestRequest) {
      lists.push(path);
      return { metadata: { resourceVersion: '1' }, items };
    },
    async stream() {
      async function* chunks() {
        for (const change of changes) yield Buffer.from(`${JSON.stringify(change)}\n`);
        if (!end.signal.aborted)
          await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
      }
      return { status: 200, headers: {}, chunks: chunks(), close() {} };
    },
  } as unknown as RestClient; // nothing else is used
  const clock = new ManualClock();
  const context = { client, clock, random: () => 0, signal: end.signal, logger: silentLogger };
  return { informers: new SharedInformers(context, orchDialect), lists, end };
}

const namesOf = (objects: readonly { metadata: { name?: string | undefined } }[]) =>
  objects.map(({ metadata }) => metadata.name).sort();

describe('SharedInformers', () => {
  it('list a resource once for all who follow it, and tell latecomers what is there', async () => {
    const { informers, lists, end } = informersOver([pod('x')], []);
    const told: string[] = [];
    const informer = informers.pods();
    informer.listen({ onAdd: ({ metadata }) => told.push(`first ${metadata.name}`) });
    await informer.whenSynced;
    informers.pods().listen({ onAdd: ({ metadata }) => told.push(`second ${metadata.name}`) });
    expect([lists, told]).to.deep.equal([['/api/v1/pods'], ['first x', 'second x']]);
    end.abort();
    await informers.ended();
  });

  it('find objects by namespace and by controller, whatever they were before', async () => {
    const removed = Promise.withResolvers<void>();
    const changes = [
      { type: 'MODIFIED', object: pod('moved', { ...controlled('two'), resourceVersion: '2' }) },
      { type: 'ADDED', object: pod('far', { namespace: 'b', ...controlled('two') }) },
      // The last state of what goes may be one that was never seen.
      { type: 'DELETED', object: pod('gone', { ...controlled('two'), resourceVersion: '3' }) },
    ];
    const before = [pod('moved', controlled('one')), pod('gone', controlled('one')), pod('free')];
    const { informers, end } = informersOver(before, changes);
    const informer = informers.pods();
    informer.listen({ onDelete: () => removed.resolve() });
    await removed.promise;
    expect(namesOf(informer.controlledBy('one'))).to.deep.equal([]);
    expect(namesOf(informer.controlledBy('two'))).to.deep.equal(['far', 'moved']);
    expect(namesOf(informer.listIn('a'))).to.deep.equal(['free', 'moved']);
    expect(namesOf(informer.listIn('b'))).to.deep.equal(['far']);
    end.abort();
  });

  it('keep no managed fields', async () => {
    const { informers, end } = informersOver([pod('x', { managedFields: [{ manager: 'm' }] })], []);
    const informer = informers.pods();
    await informer.whenSynced;
    expect(informer.get('a', 'x')?.metadata).to.not.have.property('managedFields');
    end.abort();
  });
});
