import { expect } from 'chai';
import { boundObjectsOf } from '../../../../src/server/authentication/service-account-lookup.ts';
import { openApiBench } from '../api-bench.ts';

describe('boundObjectsOf', () => {
  it('shows uid and deletion of what is stored now', async () => {
    await using bench = await openApiBench(() => ({}));
    const lookup = boundObjectsOf(bench.stores);
    const accounts = '/api/v1/namespaces/n/serviceaccounts';
    expect(lookup('serviceaccounts', 'n', 'a')).to.equal(undefined);
    const metadata = { name: 'a', finalizers: ['example.com/hold'] };
    const created = await bench.send('POST', accounts, {
      body: { kind: 'ServiceAccount', apiVersion: 'v1', metadata },
    });
    const { uid } = created.body.metadata;
    expect(lookup('serviceaccounts', 'n', 'a')).to.deep.equal({ uid, deletedAtMs: undefined });
    await bench.send('DELETE', `${accounts}/a`);
    const deletedAtMs = Date.parse('2021-02-03T04:05:06Z');
    expect(lookup('serviceaccounts', 'n', 'a')).to.deep.equal({ uid, deletedAtMs });
    expect(lookup('serviceaccounts', 'm', 'a')).to.equal(undefined);
    expect(lookup('pods', 'n', 'a')).to.equal(undefined);
  });
});
