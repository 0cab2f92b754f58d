import { createDialect, type Dialect } from '../machinery/dialect.ts';
import { type Storage, StorageError } from '../storage/index.ts';

/**
 * Refuses a store whose servers spell names otherwise. Etcd holds nothing but objects, so the namespaces tell: each
 * server makes its own system namespace, and none may make that of the other dialect.
 *
 * @throws StorageError `wrong-dialect`.
 */
export async function checkSharedDialect(
  storage: Storage,
  { root, dialect }: { readonly root: string; readonly dialect: Dialect },
): Promise<void> {
  const other = createDialect(dialect.name === 'orch' ? 'kubernetes' : 'orch');
  const has = async ({ systemNamespace }: Dialect): Promise<boolean> =>
    (await storage.get(`${root}namespaces/${systemNamespace}`)) !== undefined;
  if (!(await has(other)) || (await has(dialect))) return;
  throw new StorageError(
    'wrong-dialect',
    `objects below ${root} were made with dialect "${other.name}": a server with "${dialect.name}" cannot share them`,
  );
}
