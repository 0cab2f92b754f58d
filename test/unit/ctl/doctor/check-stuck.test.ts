import { expect } from 'chai';
import { findStuck, tellStuck } from '../../../../src/ctl/doctor/check-stuck.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');

describe('findStuck', () => {
  const resource = {
    name: 'pods',
    group: '',
    version: 'v1',
    kind: 'Pod',
    singularName: 'pod',
    shortNames: [],
    categories: [],
    subresources: [],
    verbs: [],
    isNamespaced: true,
  };
  const table = (...objects: object[]) => ({
    columns: [],
    resourceVersion: '',
    continueToken: '',
    rows: objects.map((metadata) => ({ cells: [], object: { metadata } })),
  });
  const deleted = (name: string, minutes: number) => ({
    name,
    namespace: 'shop',
    deletionTimestamp: new Date(nowMs - minutes * 60_000).toISOString(),
    finalizers: ['a.example/x'],
  });

  it('finds what is being deleted for more than ten minutes, and who has to let go', () => {
    const stuck = findStuck(table({ name: 'b' }, deleted('new', 9), deleted('old', 11)), resource, nowMs);
    expect(tellStuck('pod', stuck)).to.deep.equal([
      {
        level: 'warning',
        about: 'pod/old -n shop',
        message: 'is being deleted since 2026-05-01T11:49:00.000Z, and waits for finalizers: a.example/x',
        next: 'ctl why pod/old -n shop',
      },
    ]);
    expect(findStuck(table(deleted('old', 11)), { ...resource, name: 'namespaces' }, nowMs)).to.deep.equal(
      [],
    );
  });

  it('names five of a kind, and counts the others', () => {
    const many = Array.from({ length: 7 }, (_, index) => deleted(`p${index}`, 60));
    const found = tellStuck('pod', findStuck(table(...many), resource, nowMs));
    expect(found).to.have.length(6);
    expect(found.at(-1)?.message).to.equal('2 more are being deleted, and do not go');
  });
});
