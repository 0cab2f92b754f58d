import { expect } from 'chai';
import { checkSharedDialect } from '../../../src/app/open-storage.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';
import { openMemoryStorage } from '../../../src/storage/memory/index.ts';

const root = '/registry/';
const names = ['orch', 'kubernetes'] as const;

describe('checkSharedDialect', () => {
  const storageOf = async (...systemNamespaces: readonly string[]) => {
    const storage = openMemoryStorage();
    for (const name of systemNamespaces) {
      await storage.create(`${root}namespaces/${name}`, Buffer.from('{"metadata":{"resourceVersion":""}}'));
    }
    return storage;
  };

  for (const name of names) {
    const dialect = createDialect(name);
    const other = createDialect(name === 'orch' ? 'kubernetes' : 'orch');

    it(`takes what is empty or was made with ${name}`, async () => {
      await checkSharedDialect(await storageOf(), { root, dialect });
      await checkSharedDialect(await storageOf(dialect.systemNamespace), { root, dialect });
    });

    it(`refuses with ${name} what was made with ${other.name}`, async () => {
      const refusal = await checkSharedDialect(await storageOf(other.systemNamespace), {
        root,
        dialect,
      }).catch((error: unknown) => error);
      expect(refusal).to.include({ code: 'wrong-dialect' });
      expect(String(refusal)).to.include(`dialect "${other.name}"`);
    });
  }
});
