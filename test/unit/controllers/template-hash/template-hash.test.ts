import { expect } from 'chai';
import type { PodTemplateSpec } from '../../../../src/apis/types/core-v1.ts';
import { revisionHash, templateHash, valueHash } from '../../../../src/controllers/template-hash/index.ts';
import recorded from './hashes.json' with { type: 'json' };

describe('the hash of a template', () => {
  for (const { kind, hashed, hash } of recorded) {
    it(`is that of release 1.20 (${kind}, ${hash})`, () => {
      // What was recorded for other kinds than stateful sets is a template.
      const template = hashed as unknown as PodTemplateSpec;
      expect(kind === 'StatefulSet' ? revisionHash(hashed, 0) : templateHash(template, undefined)).to.equal(
        hash,
      );
    });
  }

  it('is another for each collision, and the same in any order of members', () => {
    const spec = { containers: [{ name: 'c', image: 'i', resources: {} }] };
    const template = { metadata: { labels: { a: 'b' } }, spec };
    const hash = templateHash(template, undefined);
    expect(templateHash({ spec, metadata: template.metadata }, undefined)).to.equal(hash);
    expect(new Set([hash, templateHash(template, 0), templateHash(template, 1)]).size).to.equal(3);
    expect(revisionHash(template, 0)).to.not.equal(revisionHash(template, 1));
  });

  it('takes amounts as they were written', () => {
    const hashOf = (cpu: string) =>
      valueHash({ name: 'c', image: 'i', resources: { requests: { cpu } } }, 'v1.Container');
    const hashes = ['0', '1', '1000m', '1.5', '1e3', '1Ki', '64Mi', '-1n', '100'].map(hashOf);
    expect(new Set(hashes).size).to.equal(hashes.length);
  });
});
