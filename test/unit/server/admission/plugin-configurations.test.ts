import { expect } from 'chai';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  readAdmissionConfiguration,
  readEventLimits,
  readImagePolicy,
  readLimitedResources,
  readNodeSelectors,
  readTolerationLists,
} from '../../../../src/server/admission/index.ts';

const limitsOf = (limits: unknown, more: object = {}) =>
  readEventLimits(
    { apiVersion: 'eventratelimit.admission.orch.io/v1alpha1', kind: 'Configuration', limits, ...more },
    orchDialect,
  );

describe('readEventLimits', () => {
  it('reads limits, with the size of the cache that is usual', () => {
    expect(
      limitsOf([
        { type: 'User', qps: 5, burst: 6 },
        { type: 'Namespace', qps: 1, burst: 1, cacheSize: 7 },
      ]),
    ).to.deep.equal([
      { type: 'User', qps: 5, burst: 6, cacheSize: 4096 },
      { type: 'Namespace', qps: 1, burst: 1, cacheSize: 7 },
    ]);
  });

  const fine = { type: 'User', qps: 1, burst: 1 };
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^limits: must be a list and not be empty/],
    [[], /^limits: must be a list/],
    [{}, /^limits: must be a list/],
    [[1], /^limits\[0\]: must be an object/],
    [[fine, { ...fine, type: 'user' }], /^limits\[1\]\.type: must be one of Server, Namespace, User/],
    [[{ ...fine, qps: 0 }], /^limits\[0\]\.qps: must be a whole number from 1/],
    [[{ ...fine, qps: 0.5 }], /^limits\[0\]\.qps/],
    [[{ ...fine, burst: 2 ** 31 }], /^limits\[0\]\.burst/],
    [[{ ...fine, cacheSize: -1 }], /^limits\[0\]\.cacheSize/],
    [[{ ...fine, color: 'red' }], /^limits\[0\]\.color: no such field/],
  ];
  for (const [limits, text] of refused) {
    it(`refuses ${JSON.stringify(limits)}`, () => {
      expect(() => limitsOf(limits)).to.throw(text);
    });
  }

  it('refuses another kind, another version, and other fields', () => {
    expect(() => limitsOf([fine], { kind: 'Pod' })).to.throw(
      /must be of kind Configuration in version event/,
    );
    expect(() => limitsOf([fine], { apiVersion: 'v1' })).to.throw(/must be of kind/);
    expect(() => limitsOf([fine], { more: 1 })).to.throw('more: no such field');
  });
});

describe('readTolerationLists', () => {
  const listsOf = (parts: object) =>
    readTolerationLists(
      { apiVersion: 'podtolerationrestriction.admission.orch.io/v1alpha1', kind: 'Configuration', ...parts },
      orchDialect,
    );
  const fine = { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 };

  it('reads both lists, either of which may be left out', () => {
    expect(listsOf({ default: [fine], whitelist: [{ operator: 'Exists' }] })).to.deep.equal({
      default: [fine],
      whitelist: [{ operator: 'Exists' }],
    });
    expect(listsOf({})).to.deep.equal({ default: [], whitelist: [] });
  });

  const refused: readonly (readonly [object, RegExp])[] = [
    [{ default: {} }, /^default: must be a list/],
    [{ whitelist: [1] }, /^whitelist\[0\]: must be an object/],
    [{ default: [{ ...fine, operator: 'In' }] }, /^default\[0\]\.operator: must be Equal or Exists/],
    [{ default: [{ ...fine, effect: 'Never' }] }, /^default\[0\]\.effect: no such effect/],
    [{ default: [{ value: 'b' }] }, /^default\[0\]\.operator: must be Exists when the key is empty/],
    [{ default: [{ ...fine, key: '-' }] }, /^default\[0\]\.key: name part must/],
    [{ default: [{ ...fine, operator: 'Exists' }] }, /^default\[0\]\.value: must be empty/],
    [{ default: [{ ...fine, value: 'b c' }] }, /^default\[0\]\.value: a/],
    [{ default: [{ ...fine, effect: 'NoSchedule' }] }, /^default\[0\]\.effect: must be NoExecute/],
    [{ default: [{ ...fine, tolerationSeconds: '5' }] }, /^default\[0\]\.tolerationSeconds: must be a whole/],
    [{ default: [{ ...fine, color: 'red' }] }, /^default\[0\]\.color: no such field/],
    [{ whiteList: [] }, /^whiteList: no such field/],
    [{ kind: 'Pod' }, /^must be of kind Configuration in version podtoleration/],
  ];
  for (const [parts, text] of refused) {
    it(`refuses ${JSON.stringify(parts)}`, () => {
      expect(() => listsOf(parts)).to.throw(text);
    });
  }
});

describe('readNodeSelectors', () => {
  it('reads selectors by namespace', () => {
    const document = { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b', x: 'c=d' } };
    expect([...readNodeSelectors(document)]).to.deep.equal([
      ['clusterDefaultNodeSelector', 'a=b'],
      ['x', 'c=d'],
    ]);
  });

  it('refuses what is no text, and other fields', () => {
    expect(() => readNodeSelectors({ podNodeSelectorPluginConfig: [] })).to.throw(/must be an object/);
    expect(() => readNodeSelectors({ podNodeSelectorPluginConfig: { x: 1 } })).to.throw(
      'podNodeSelectorPluginConfig.x: must be a text',
    );
    expect(() => readNodeSelectors({ x: 'a=b' })).to.throw('x: no such field');
  });
});

describe('readImagePolicy', () => {
  const policyOf = (imagePolicy: unknown) => readImagePolicy({ imagePolicy }, orchDialect);

  it('has the usual times for what is left out or zero', () => {
    const usual = {
      file: 'f',
      allowTtlMs: 300_000,
      denyTtlMs: 30_000,
      retryBackoffMs: 500,
      defaultAllow: false,
    };
    expect(policyOf({ orchConfigFile: 'f' })).to.deep.equal(usual);
    expect(policyOf({ orchConfigFile: 'f', allowTTL: 0, denyTTL: 0, retryBackoff: 0 })).to.deep.equal(usual);
  });

  it('counts seconds and milliseconds, and takes -1 for none', () => {
    expect(
      policyOf({ orchConfigFile: 'f', allowTTL: 50, denyTTL: -1, retryBackoff: 7, defaultAllow: true }),
    ).to.deep.equal({
      file: 'f',
      allowTtlMs: 50_000,
      denyTtlMs: 0,
      retryBackoffMs: 7,
      defaultAllow: true,
    });
  });

  it('calls the file as the dialect does', () => {
    const kubernetes = createDialect('kubernetes');
    expect(readImagePolicy({ imagePolicy: { kubeConfigFile: 'f' } }, kubernetes)).to.include({ file: 'f' });
  });

  const refused: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /^imagePolicy: must be an object/],
    [{}, /^imagePolicy\.orchConfigFile: must name a file/],
    [{ orchConfigFile: 'f', defaultAllow: 'yes' }, /^imagePolicy\.defaultAllow: must be true or false/],
    [
      { orchConfigFile: 'f', allowTTL: 1801 },
      /^imagePolicy\.allowTTL: must be a whole number that means 1s to 30m/,
    ],
    [{ orchConfigFile: 'f', denyTTL: -2 }, /^imagePolicy\.denyTTL/],
    [{ orchConfigFile: 'f', retryBackoff: 300_001 }, /^imagePolicy\.retryBackoff: .* 1ms to 5m/],
    [{ orchConfigFile: 'f', retryBackoff: '1s' }, /^imagePolicy\.retryBackoff/],
    [{ orchConfigFile: 'f', more: 1 }, /^imagePolicy\.more: no such field/],
  ];
  for (const [policy, text] of refused) {
    it(`refuses ${JSON.stringify(policy)}`, () => {
      expect(() => policyOf(policy)).to.throw(text);
    });
  }
});

describe('readAdmissionConfiguration', () => {
  it('takes a file of the plugins that have no versions for theirs', () => {
    const text = 'podNodeSelectorPluginConfig: {x: a=b}';
    expect([...readAdmissionConfiguration(text, orchDialect)]).to.deep.equal([
      ['PodNodeSelector', { kind: 'value', value: { podNodeSelectorPluginConfig: { x: 'a=b' } } }],
    ]);
    const both = `${text}\nimagePolicy: {}`;
    expect([...readAdmissionConfiguration(both, orchDialect).keys()]).to.deep.equal([
      'ImagePolicyWebhook',
      'PodNodeSelector',
    ]);
  });
});

describe('readLimitedResources', () => {
  const v1 = { apiVersion: 'apiserver.config.orch.io/v1', kind: 'ResourceQuotaConfiguration' };
  const older = (version: string) => ({
    apiVersion: `resourcequota.admission.orch.io/${version}`,
    kind: 'Configuration',
  });
  const read = (limitedResources: unknown, parts: object = v1) =>
    readLimitedResources({ ...parts, limitedResources }, orchDialect);
  const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['high'] };
  const full = { apiGroup: 'apps', resource: 'deployments', matchContains: ['count/'], matchScopes: [scope] };
  const { apiGroup: group, ...parts } = full;

  it('reads all versions', () => {
    for (const version of [v1, older('v1beta1'), older('v1alpha1')]) {
      expect(read([full, { resource: 'pods' }], version)).to.deep.equal([
        { group, ...parts },
        { group: '', resource: 'pods', matchContains: [], matchScopes: [] },
      ]);
      expect(read(undefined, version)).to.deep.equal([]);
    }
  });

  it('knows the names of the other dialect', () => {
    const theirs = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'ResourceQuotaConfiguration' };
    expect(readLimitedResources(theirs, createDialect('kubernetes'))).to.deep.equal([]);
  });

  const refused: readonly (readonly [unknown, RegExp])[] = [
    [{}, /^limitedResources: must be a list/],
    [[1], /^limitedResources\[0\]: must be an object/],
    [[full, {}], /^limitedResources\[1\]\.resource: must name a resource/],
    [[{ ...full, resource: 1 }], /^limitedResources\[0\]\.resource: must be a text/],
    [[{ ...full, apiGroup: [] }], /^limitedResources\[0\]\.apiGroup: must be a text/],
    [[{ ...full, group: 'apps' }], /^limitedResources\[0\]\.group: no such field/],
    [[{ ...full, matchContains: 'cpu' }], /^limitedResources\[0\]\.matchContains: must be a list/],
    [[{ ...full, matchContains: [1] }], /^limitedResources\[0\]\.matchContains\[0\]: must be a text/],
    [
      [{ ...full, matchScopes: [{ ...scope, scopeName: 'Class' }] }],
      /matchScopes\[0\]\.scopeName: must be one/,
    ],
    [
      [{ ...full, matchScopes: [{ ...scope, operator: 'Is' }] }],
      /matchScopes\[0\]\.operator: must be one of In/,
    ],
    [
      [{ ...full, matchScopes: [{ ...scope, values: [] }] }],
      /matchScopes\[0\]\.values: must not be empty for In/,
    ],
    [[{ ...full, matchScopes: [{ ...scope, operator: 'Exists' }] }], /values: must be empty for Exists/],
    [[{ ...full, matchScopes: [{ ...scope, value: 'x' }] }], /matchScopes\[0\]\.value: no such field/],
  ];
  for (const [limits, text] of refused) {
    it(`refuses ${JSON.stringify(limits)}`, () => expect(() => read(limits)).to.throw(text));
  }

  it('refuses other kinds, versions and fields', () => {
    expect(() => read([], { ...v1, kind: 'Pod' })).to.throw(/must be of kind ResourceQuotaConfiguration in/);
    expect(() => read([], { ...v1, kind: 'Configuration' })).to.throw(
      /must be of kind Configuration in version/,
    );
    expect(() => read([], { ...older('v1'), kind: 'Configuration' })).to.throw(
      /must be of kind Configuration/,
    );
    expect(() => read([], { ...v1, more: 1 })).to.throw('more: no such field');
  });
});
