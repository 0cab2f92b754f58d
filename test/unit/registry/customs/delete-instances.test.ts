import { expect } from 'chai';
import { deleteInstances } from '../../../../src/registry/customs/delete-instances.ts';
import type { ServedKind } from '../../../../src/registry/index.ts';

describe('deleteInstances', () => {
  it('does not wait for objects that others hold once it was told to end', async () => {
    let open = 0;
    const watch = () => {
      open++;
      return { close: () => open-- };
    };
    // Nothing else of it is read: an object is left, and nothing ever happens to it.
    const cache = { objects: new Map(), size: 1, watch };
    const served = { store: { cache, keyPrefix: '/registry/g/r/', isNamespaced: true } };
    await deleteInstances(served as unknown as ServedKind, AbortSignal.abort());
    expect(open).to.equal(0);
  });
});
