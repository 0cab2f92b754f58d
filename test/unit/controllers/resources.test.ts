import { expect } from 'chai';
import type { DiscoveredResource, Discovery } from '../../../src/client/discovery/index.ts';
import type { RestClient } from '../../../src/client/rest/index.ts';
import { preferredResources } from '../../../src/controllers/deletable-resources.ts';
import { createDiscoveryReader } from '../../../src/controllers/discovery-reader.ts';
import {
  followedResources,
  mapKinds,
  planMonitors,
} from '../../../src/controllers/garbage-collector/resource-map.ts';
import { ManualClock } from '../storage/manual-clock.ts';

const allVerbs = ['create', 'delete', 'get', 'list', 'watch'];

function resource(text: string, verbs: readonly string[] = allVerbs): DiscoveredResource {
  const [group = '', version = '', name = ''] = text.split('/');
  const kind = name.replace(/s$/, '');
  return {
    group,
    version,
    name,
    singularName: kind,
    kind,
    isNamespaced: true,
    shortNames: [],
    categories: [],
    verbs,
    subresources: [],
  };
}

const discovery = (resources: DiscoveredResource[], failures: Discovery['failures'] = []): Discovery => ({
  groups: [
    { name: '', preferredVersion: 'v1', versions: ['v1'] },
    { name: 'g', preferredVersion: 'v2', versions: ['v2', 'v1'] },
  ],
  resources,
  failures,
});

const names = (resources: readonly DiscoveredResource[]) =>
  resources.map(({ group, version, name }) => `${group}/${version}/${name}`);

describe('preferredResources', () => {
  it('takes each resource once, in the preferred version that has it', () => {
    const all = discovery([
      resource('/v1/pods'),
      resource('g/v1/as'),
      resource('g/v2/as'),
      resource('g/v1/olds'),
    ]);
    expect(names(preferredResources(all, ['delete']))).to.deep.equal(['/v1/pods', 'g/v2/as', 'g/v1/olds']);
  });

  it('leaves out what cannot do all that is asked', () => {
    const all = discovery([resource('/v1/pods'), resource('/v1/bindings', ['create'])]);
    expect(names(preferredResources(all, ['delete', 'list']))).to.deep.equal(['/v1/pods']);
  });
});

describe('planMonitors', () => {
  const pods = resource('/v1/pods');
  const things = resource('g/v2/things');

  it('starts what is new and stops what is gone', () => {
    const plan = planMonitors(new Map([['/v1/pods', pods]]), discovery([things]));
    expect(names(plan.start)).to.deep.equal(['g/v2/things']);
    expect(plan.stop).to.deep.equal(['/v1/pods']);
  });

  it('stops nothing of a version that could not be read', () => {
    const failures = [{ groupVersion: 'g/v2', message: 'no answer' }];
    const plan = planMonitors(new Map([['g/v2/things', things]]), discovery([pods], failures));
    expect(plan.stop).to.deep.equal([]);
  });

  it('does not follow events', () => {
    expect(names(followedResources(discovery([pods, resource('/v1/events')])))).to.deep.equal(['/v1/pods']);
  });
});

describe('mapKinds', () => {
  it('knows a kind in every version', () => {
    const kinds = mapKinds(discovery([resource('g/v1/as'), resource('g/v2/as'), resource('/v1/pods')]));
    expect([...kinds.keys()]).to.deep.equal(['g/v1 a', 'g/v2 a', 'v1 pod']);
  });
});

describe('createDiscoveryReader', () => {
  const empty = { status: 200, headers: {}, body: Buffer.from('{}') };

  it('asks again only for what an earlier answer cannot tell', async () => {
    const clock = new ManualClock();
    let asked = 0;
    const send = async ({ path }: { path: string }) => {
      if (path === '/apis') asked++;
      return empty;
    };
    const client = { send } as unknown as RestClient; // nothing else is used
    const reader = createDiscoveryReader({ client, clock, signal: new AbortController().signal });
    clock.advance(10);
    await Promise.all([reader.read(10), reader.read(5)]);
    expect(asked).to.equal(1);
    clock.advance(10);
    await reader.read(10);
    expect(asked).to.equal(1);
    await reader.read(11);
    expect(asked).to.equal(2);
  });

  it('forgets an answer that failed', async () => {
    const clock = new ManualClock();
    let isUp = false;
    const send = async () => {
      if (!isUp) throw new Error('down');
      return empty;
    };
    const client = { send } as unknown as RestClient; // nothing else is used
    const reader = createDiscoveryReader({ client, clock, signal: new AbortController().signal });
    const failed = await reader.read(0).then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
    isUp = true;
    expect((await reader.read(0)).resources).to.deep.equal([]);
  });
});
