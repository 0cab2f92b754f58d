import { expect } from 'chai';
import { createResourceTable } from '../../../src/apis/resources/index.ts';
import { StorageTimes } from '../../../src/app/storage-times.ts';
import { createDialect, orchDialect } from '../../../src/machinery/dialect.ts';
import { storageKinds } from '../../../src/registry/index.ts';

const root = '/registry/';

for (const dialect of [orchDialect, createDialect('kubernetes')]) {
  describe(`StorageTimes in the dialect ${dialect.name}`, () => {
    const times = new StorageTimes(storageKinds(createResourceTable({ dialect }), root), root, dialect);

    it('names the types of objects and lists by their keys', () => {
      expect(times.typeOf('/registry/pods/n/p')).to.equal('*core.Pod');
      expect(times.typeOf('/registry/pods/')).to.equal('*core.Pod');
      expect(times.typeOf('/registry/services/specs/n/s')).to.equal('*core.Service');
      expect(times.typeOf('/registry/services/endpoints/n/s')).to.equal('*core.Endpoints');
      expect(times.typeOf('/registry/clusterroles/admin')).to.equal('*rbac.ClusterRole');
    });

    it('does not know the types of custom resources, nor of what is no object', () => {
      expect(times.typeOf('/registry/example.com/widgets/n/w')).to.equal('*unstructured.Unstructured');
      expect(times.typeOf('/registry/ranges/serviceips')).to.equal('*unstructured.Unstructured');
      expect(times.typeOf('/registry/')).to.equal('*unstructured.Unstructured');
    });

    it('tells who listens', () => {
      const heard: unknown[] = [];
      times.tell('get', '/registry/pods/n/unheard', 1);
      times.listen((...time) => void heard.push(time));
      times.tell('create', '/registry/secrets/n/s', 0.5);
      expect(heard).to.deep.equal([['create', '*core.Secret', 0.5]]);
    });
  });
}
