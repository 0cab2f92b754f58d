import { expect } from 'chai';
import { getObject } from '../../../src/registry/index.ts';
import { expectStatus } from '../../support/expect-status.ts';
import { configMap } from '../../support/objects.ts';
import { TestRegistry } from '../../support/registry.ts';

describe('getObject', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open();
    await registry.create('v1/configmaps', configMap('a'));
  });
  afterEach(() => registry[Symbol.asyncDispose]());
  const get = (resourceVersion: string, name = 'a') =>
    getObject(registry.served('v1/configmaps'), { namespace: 'default', name, resourceVersion });

  for (const version of ['', '0', '1']) {
    it(`finds an object at version "${version}"`, async () => {
      expect((await get(version)).key).to.equal('/registry/configmaps/default/a');
    });
  }

  it('tells when there is none', async () => {
    await expectStatus(get('', 'b'), { code: 404, message: 'configmaps "b" not found' });
  });

  it('refuses a version that is no number', async () => {
    await expectStatus(get('x'), {
      code: 500,
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    });
  });

  it('waits three seconds for a version that has not happened', async () => {
    const got = expectStatus(get('999'), { code: 504, reason: 'Timeout' });
    registry.clock.advance(2999);
    expect(registry.clock.timerCount).to.equal(1);
    registry.clock.advance(1);
    await got;
  });
});
