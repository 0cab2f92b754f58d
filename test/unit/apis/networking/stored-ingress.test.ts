import { expect } from 'chai';
import { type Body, create, update } from '../write-bench.ts';

const body = (spec: Record<string, unknown>): Body => ({
  apiVersion: 'networking.orch.io/v1beta1',
  kind: 'Ingress',
  metadata: { name: 'ing-old' },
  spec,
});
const path = { path: 'x', pathType: 'Prefix', backend: { serviceName: 's', servicePort: 80 } };
const backend = { serviceName: 's', servicePort: 80 };

/** Errors of a change that is sent in `v1` to an ingress that came in `v1beta1`. */
const changedInLatest = (spec: Record<string, unknown>, change: Record<string, unknown>) =>
  update({ body: body(spec), change }, { requestApiVersion: 'networking.orch.io/v1' }).errors;

describe('kindRules of ingresses that are older than networking v1', () => {
  it('do not look at the rules of wildcard hosts in older versions', () => {
    expect(
      create(body({ rules: [{ host: '*.example.org', http: { paths: [path] } }] })).errors,
    ).to.deep.equal([]);
  });

  it('let v1 keep what a wildcard host had wrong, and say no more of such hosts', () => {
    const rules = [{ host: '*.example.org', http: { paths: [path] } }];
    expect(changedInLatest({ rules }, { '/metadata/labels': { a: 'b' } })).to.deep.equal([]);
    expect(changedInLatest({ rules }, { '/spec/rules/0/http/paths': [] })).to.deep.equal([]);
  });

  it('let v1 add nothing wrong to wildcard hosts that were fine', () => {
    const rules = [{ host: '*.example.org', http: { paths: [{ ...path, path: '/x' }] } }];
    expect(changedInLatest({ rules }, { '/spec/rules/0/http/paths': [] })).to.deep.equal([
      'spec.rules[0].http.paths: Required value',
    ]);
  });

  it('let v1 keep wrong names of secrets where one was wrong', () => {
    const tls = [{ secretName: 'not_valid' }];
    expect(changedInLatest({ backend, tls }, { '/spec/tls/0/secretName': 'other_name' })).to.deep.equal([]);
    const [error, ...others] = changedInLatest({ backend, tls: [] }, { '/spec/tls': tls });
    expect(error).to.match(/^spec.tls\[0\].secretName: Invalid value: "not_valid": /);
    expect(others).to.deep.equal([]);
  });
});
