import { expect } from 'chai';
import { dropDuplicateOwners } from '../../../../src/registry/write/owner-references.ts';

const reference = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'K',
  name,
  uid: 'u',
  ...more,
});

describe('dropDuplicateOwners', () => {
  it('keeps one of references that are the same in all fields', () => {
    const warnings: string[] = [];
    const metadata = {
      ownerReferences: [reference('a'), reference('a', { controller: true }), reference('a')],
    };
    dropDuplicateOwners({ metadata }, 'received', { warn: (text) => warnings.push(text) });
    expect(metadata.ownerReferences).to.deep.equal([reference('a'), reference('a', { controller: true })]);
    expect(warnings).to.have.length(1);
  });

  it('looks at many references to one object in little time', () => {
    const ownerReferences = Array.from({ length: 100_000 }, (_, at) => reference(`n${at}`));
    const metadata = { ownerReferences };
    dropDuplicateOwners({ metadata }, 'received', {});
    expect(metadata.ownerReferences).to.have.length(100_000);
  });
});
