import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  containerName,
  namePrefix,
  parseContainerName,
  parseSandboxName,
  sandboxName,
} from '../../../../src/nodeagent/legacyrt/container-names.ts';

const part = fc.stringMatching(/^[a-z0-9][a-z0-9.-]{0,20}$/);
const attempt = fc.nat({ max: 100_000 });

describe('names of the engine’s containers', () => {
  it('begin as the dialect says', () => {
    const pod = { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 2 };
    expect(sandboxName(namePrefix(orchDialect), pod)).to.equal('orch_POD_web_shop_u-1_2');
    const prefix = namePrefix(createDialect('kubernetes'));
    expect(containerName(prefix, { name: 'c', attempt: 7 }, pod)).to.equal('k8s_c_web_shop_u-1_7');
  });

  it('tell again what they were made from', () => {
    fc.assert(
      fc.property(part, part, part, part, attempt, (name, pod, namespace, uid, number) => {
        const metadata = { name: pod, namespace, uid, attempt: number };
        expect(parseSandboxName('orch', `/${sandboxName('orch', metadata)}`)).to.deep.equal(metadata);
        const container = { name, attempt: number };
        const text = containerName('orch', container, { ...metadata, attempt: 0 });
        expect(parseContainerName('orch', text)).to.deep.equal(container);
        expect(parseSandboxName('orch', text)).to.equal(undefined);
      }),
    );
  });

  for (const name of [
    '',
    '/other',
    'k8s_POD_a_b_c_0',
    'orch_POD_a_b_c',
    'orch_POD_a_b_c_x',
    'orch__a_b_c_0',
  ]) {
    it(`of others are none of the driver's: "${name}"`, () => {
      expect(parseSandboxName('orch', name)).to.equal(undefined);
      expect(parseContainerName('orch', name)).to.equal(undefined);
    });
  }

  it('may have a part more where the name was taken', () => {
    expect(parseContainerName('orch', 'orch_c_a_b_u_3_1f2e')).to.deep.equal({ name: 'c', attempt: 3 });
  });
});
