import { expect } from 'chai';
import { metadataFields } from '../../../../src/machinery/selectors/index.ts';
import type { Endpoint } from '../../../../src/server/handlers/endpoint.ts';
import { parseSelection } from '../../../../src/server/handlers/selection.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { expectStatus } from '../../../support/expect-status.ts';

// Of an endpoint only the fields that it offers are looked at.
const endpoint = { selectableFields: metadataFields } as unknown as Endpoint;
const select = (url: string) => parseSelection(makeExchange({ url }), endpoint);

describe('parseSelection', () => {
  it('selects everything without selectors', () => {
    const { namespace, labels, fields } = select('/api/v1/namespaces/n/pods');
    expect([namespace, labels.isEmpty, fields.isEmpty]).to.deep.equal(['n', true, true]);
  });

  it('reads both selectors', () => {
    const { labels, fields } = select('/api/v1/pods?labelSelector=a%3Db&fieldSelector=metadata.name%3Dx');
    expect(labels.matches({ a: 'b' })).to.equal(true);
    expect(labels.matches({ a: 'c' })).to.equal(false);
    expect(fields.requiredValue('metadata.name')).to.equal('x');
  });

  it('selects the object that a watch names in its path', () => {
    const { namespace, fields } = select('/api/v1/watch/namespaces/n/pods/p');
    expect([namespace, fields.toString()]).to.deep.equal(['n', 'metadata.name=p']);
  });

  it('lets a selector name the same object again', () => {
    const url = '/api/v1/watch/namespaces/n/pods/p?fieldSelector=metadata.name%3Dp,metadata.namespace%3Dn';
    expect(select(url).fields.terms).to.have.length(2);
  });

  for (const selector of ['metadata.name%3Dq', 'metadata.namespace%3Dn', 'metadata.name!%3Dp']) {
    it(`refuses a selector that names another object, or none: ${selector}`, () =>
      expectStatus(() => select(`/api/v1/watch/namespaces/n/pods/p?fieldSelector=${selector}`), {
        code: 400,
        message: "fieldSelector metadata.name doesn't match requested name",
      }));
  }

  const wrong = [
    'labelSelector=a%3D%3D%3D',
    'labelSelector=!!',
    'fieldSelector=a',
    'fieldSelector=spec.none%3D1',
  ];
  for (const query of wrong) {
    it(`refuses ${query}`, () => expectStatus(() => select(`/api/v1/pods?${query}`), { code: 400 }));
  }
});
