import { expect } from 'chai';
import { beforeEach, describe, it } from 'mocha';
import { createAskedObjects } from '../../../../src/nodeagent/objects/asked-objects.ts';
import { gatherConfigSources } from '../../../../src/nodeagent/objects/gather-config-sources.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { fakeRestClient, refusal } from '../fake-rest.ts';
import { objectsOf } from '../volumes/objects.ts';

describe('createAskedObjects', () => {
  const clock = new ManualClock();
  let asked = 0;
  beforeEach(() => {
    asked = 0;
  });
  const create = (maxAgeMs: number) =>
    createAskedObjects({
      client: fakeRestClient(({ path }) => {
        asked += 1;
        if (path.endsWith('/missing')) return refusal(404, 'NotFound');
        if (path.endsWith('/secret')) return refusal(403, 'Forbidden');
        return { status: 200, body: { path } };
      }),
      resource: 'configmaps',
      signal: new AbortController().signal,
      clock,
      maxAgeMs,
    });

  it('keeps answers of retained objects for a while', async () => {
    const objects = create(1000);
    objects.retain('ns', 'a');
    expect(await objects.get('ns', 'a')).to.deep.equal({ path: '/api/v1/namespaces/ns/configmaps/a' });
    await objects.get('ns', 'a');
    expect(asked).to.equal(1);
    clock.advance(1000);
    await objects.get('ns', 'a');
    expect(asked).to.equal(2);
  });

  it('asks anew for each pod that comes', async () => {
    const objects = create(1000);
    objects.retain('ns', 'a');
    await objects.get('ns', 'a');
    objects.retain('ns', 'a');
    await objects.get('ns', 'a');
    expect(asked).to.equal(2);
    objects.release('ns', 'a');
    await objects.get('ns', 'a');
    expect(asked).to.equal(2);
    objects.release('ns', 'a');
    await objects.get('ns', 'a');
    expect(asked).to.equal(3);
  });

  it('asks each time when nothing is kept, and for what is missing', async () => {
    const objects = create(0);
    objects.retain('ns', 'a');
    await objects.get('ns', 'a');
    await objects.get('ns', 'a');
    expect(asked).to.equal(2);
    expect(await objects.get('ns', 'missing')).to.equal(undefined);
  });

  it('passes refusals on', async () => {
    const error = await create(0)
      .get('ns', 'secret')
      .catch((reason) => reason);
    expect(error.reason).to.equal('Forbidden');
  });
});

describe('gatherConfigSources', () => {
  const container = containerOf({
    envFrom: [{ configMapRef: { name: 'cm' } }, { configMapRef: { name: 'none', optional: true } }],
    env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }],
  });

  it('finds what the container refers to, and leaves out what is missing', async () => {
    const objects = objectsOf({ configMaps: { cm: { a: 'A' }, other: {} }, secrets: { s: { k: 'S' } } });
    const sources = await gatherConfigSources(podOf(), container, objects);
    expect([...(sources?.configMaps.keys() ?? [])]).to.deep.equal(['cm']);
    expect([...(sources?.secrets.keys() ?? [])]).to.deep.equal(['s']);
  });

  it('has nothing without an API server', async () => {
    expect(await gatherConfigSources(podOf(), container, undefined)).to.equal(undefined);
  });

  it('fails as a configuration does when the server cannot tell', async () => {
    const objects = { ...objectsOf({}), configMap: () => Promise.reject(new Error('connection refused')) };
    const error = await gatherConfigSources(podOf(), container, objects).catch((reason) => reason);
    expect([error.name, error.message]).to.deep.equal(['ContainerConfigError', 'connection refused']);
  });
});
