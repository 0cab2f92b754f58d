import { expect } from 'chai';
import { conversionOf } from './fixture.ts';

describe('workloads of removed versions', () => {
  const deployment = conversionOf('extensions/v1beta1.Deployment', 'apps/v1.Deployment');
  const daemonSet = conversionOf('extensions/v1beta1.DaemonSet', 'apps/v1.DaemonSet');
  const rollback = 'deprecated.deployment.rollback.to';
  const generation = 'deprecated.daemonset.template.generation';
  const annotationsOf = (object: Record<string, unknown>) =>
    (object as { metadata: { annotations?: Record<string, string> } }).metadata.annotations;

  it('keep a rollback in an annotation, beside others', () => {
    const served = {
      metadata: { name: 'd', annotations: { a: 'b' } },
      spec: { rollbackTo: { revision: 12 }, template: {} },
    };
    const kept = deployment.toStored(served);
    expect(annotationsOf(kept)).to.deep.equal({ a: 'b', [rollback]: '12' });
    expect(kept.spec).to.not.have.property('rollbackTo');
    expect(deployment.toServed(kept)).to.deep.equal(deployment.decode(served));
  });

  it('may roll back to the last revision, which is 0', () => {
    const served = { metadata: { name: 'd' }, spec: { rollbackTo: {}, template: {} } };
    const kept = deployment.toStored(served);
    expect(annotationsOf(kept)).to.deep.equal({ [rollback]: '0' });
    expect(deployment.toServed(kept)).to.deep.equal(deployment.decode(served));
  });

  it('leave metadata alone when there is no rollback', () => {
    const served = { metadata: { name: 'd' }, spec: { template: {} } };
    expect(annotationsOf(deployment.toStored(served))).to.equal(undefined);
  });

  it('keep the generation of a template in an annotation, but not 0', () => {
    const served = (templateGeneration: number) => ({
      metadata: { name: 'd' },
      spec: { templateGeneration, template: {} },
    });
    expect(annotationsOf(daemonSet.toStored(served(3)))).to.deep.equal({ [generation]: '3' });
    expect(daemonSet.toServed(daemonSet.toStored(served(3)))).to.deep.equal(daemonSet.decode(served(3)));
    expect(annotationsOf(daemonSet.toStored(served(0)))).to.equal(undefined);
  });

  for (const text of ['', 'x', '1.5', ' 1', '1e3', '9'.repeat(20)]) {
    it(`refuse ${JSON.stringify(text)} as the number of an annotation`, () => {
      const stored = { metadata: { name: 'd', annotations: { [generation]: text } }, spec: {} };
      expect(() => daemonSet.toServed(stored)).to.throw(/not an integer/);
    });
  }
});

describe('scales of removed versions', () => {
  const scale = conversionOf('apps/v1beta1.Scale', 'autoscaling/v1.Scale');
  const cases: [text: string, selector: object | undefined][] = [
    ['a=b,c==d', { a: 'b', c: 'd' }],
    ['a=', { a: '' }],
    ['a in (b)', undefined],
    ['a!=b', undefined],
    ['a', undefined],
    ['!a', undefined],
  ];
  for (const [selector, map] of cases) {
    it(`show the selector ${JSON.stringify(selector)} as text${map === undefined ? '' : ' and as a map'}`, () => {
      const { status } = scale.toServed({ metadata: { name: 's' }, status: { replicas: 1, selector } });
      expect(status).to.deep.equal({
        replicas: 1,
        ...(map === undefined ? {} : { selector: map }),
        targetSelector: selector,
      });
    });
  }

  it('make a text of the map when there is none', () => {
    const status = { replicas: 1, selector: { b: 'c', a: 'd' } };
    expect(scale.toStored({ metadata: { name: 's' }, status }).status).to.deep.equal({
      replicas: 1,
      selector: 'a=d,b=c',
    });
  });
});

describe('custom resource definitions of v1', () => {
  const group = 'apiextensions.orch.io';
  const conversion = conversionOf(
    `${group}/v1.CustomResourceDefinition`,
    `${group}/v1beta1.CustomResourceDefinition`,
  );
  const version = (name: string, more: object = {}) => ({
    name,
    served: true,
    storage: name === 'v1',
    ...more,
  });
  const schema = (type: string) => ({ openAPIV3Schema: { type } });
  const column = { name: 'A', type: 'string', jsonPath: '.a' };
  const definition = (versions: object[], more: object = {}) => ({
    metadata: { name: 'd' },
    spec: { group: 'g', scope: 'Cluster', names: { plural: 'p', kind: 'K' }, versions, ...more },
  });
  const storedSpec = (object: object) =>
    conversion.toStored(object as Record<string, unknown>).spec as Record<string, unknown>;

  it('say once what all versions have alike', () => {
    const alike = {
      schema: schema('object'),
      subresources: { status: {} },
      additionalPrinterColumns: [column],
    };
    const spec = storedSpec(definition([version('v1', alike), version('v2', alike)]));
    expect(spec).to.deep.include({
      version: 'v1',
      validation: schema('object'),
      subresources: { status: {} },
      additionalPrinterColumns: [{ name: 'A', type: 'string', JSONPath: '.a' }],
      versions: [version('v1'), version('v2')],
      preserveUnknownFields: false,
    });
  });

  it('keep with each version what they do not have alike', () => {
    const versions = [
      version('v1', { schema: schema('object'), subresources: { status: {} } }),
      version('v2', { schema: schema('string'), subresources: { status: {} } }),
    ];
    const spec = storedSpec(definition(versions));
    expect(spec).to.not.have.property('validation');
    expect(spec.subresources).to.deep.equal({ status: {} });
    expect(spec.versions).to.deep.equal([
      version('v1', { schema: schema('object') }),
      version('v2', { schema: schema('string') }),
    ]);
  });

  it('show definitions from before there were several versions', () => {
    const { spec } = conversion.toServed({
      metadata: { name: 'd' },
      spec: {
        group: 'g',
        scope: 'Cluster',
        names: { plural: 'p', kind: 'K' },
        version: 'v1',
        validation: schema('object'),
      },
    });
    expect((spec as { versions: unknown }).versions).to.deep.equal([
      version('v1', { schema: schema('object') }),
    ]);
  });

  const webhook = { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] };
  const conversions: [served: object, stored: object][] = [
    [{ strategy: 'None' }, { strategy: 'None' }],
    [
      { strategy: 'Webhook', webhook },
      { strategy: 'Webhook', webhookClientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
    ],
  ];
  for (const [served, stored] of conversions) {
    it(`keep the conversion ${JSON.stringify(served)}`, () => {
      const object = definition([version('v1')], { conversion: served });
      expect(storedSpec(object).conversion).to.deep.equal(stored);
      expect(conversion.toServed(conversion.toStored(object))).to.deep.equal(conversion.decode(object));
    });
  }
});

describe('access reviews of v1beta1', () => {
  it('name groups in the singular', () => {
    const conversion = conversionOf(
      'authorization.orch.io/v1beta1.SubjectAccessReview',
      'authorization.orch.io/v1.SubjectAccessReview',
    );
    const served = { metadata: {}, spec: { user: 'u', group: ['a', 'b'] } };
    const kept = conversion.toStored(served);
    expect(kept.spec).to.deep.equal({ user: 'u', groups: ['a', 'b'] });
    expect(conversion.toServed(kept)).to.deep.equal(conversion.decode(served));
  });
});
