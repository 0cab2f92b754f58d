import { randomUUID } from 'node:crypto';
import type { CustomDirectory } from '../apis/customs/index.ts';
import type { ResourceTable } from '../apis/resources/index.ts';
import { standardFinalizers } from '../apis/validation/index.ts';
import { type Clock, randomNameSuffix } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { parseGroupVersion, type TypeCatalog } from '../machinery/schema/index.ts';
import type { RegistryEnvironment } from '../registry/index.ts';

export interface EnvironmentOptions {
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly gates: ReadonlySet<string>;
  readonly table: ResourceTable;
  readonly customs: CustomDirectory;
  readonly allowsPrivileged: boolean;
  /** Secret that signs the tokens of paged lists. */
  readonly tokenKey: Buffer;
  /** How long a paged list may take. */
  readonly listLifetimeMs: number | undefined;
  /** As `RegistryEnvironment` has them. */
  readonly isUncached: RegistryEnvironment['isUncached'];
  readonly maxStoredBytes: number | undefined;
}

/** Time, randomness and settings as the registry's rules are given them. */
export function createEnvironment(options: EnvironmentOptions): RegistryEnvironment {
  const { clock, dialect, catalog, gates, table, customs, allowsPrivileged } = options;
  const { tokenKey, listLifetimeMs, maxStoredBytes, isUncached } = options;
  return {
    nowMs: () => clock.nowMs(),
    newUid: () => randomUUID(),
    newNameSuffix: randomNameSuffix,
    tokenKey,
    listLifetimeMs,
    maxStoredBytes,
    isUncached,
    standardFinalizers: standardFinalizers(dialect),
    ruleContext: {
      dialect,
      catalog,
      gates,
      allowsPrivileged,
      later: table.later,
      kindOf(apiVersion, resource) {
        const parsed = parseGroupVersion(apiVersion);
        if (parsed === undefined) return undefined;
        const { group, version } = parsed;
        const builtIn = table.find(group, version, resource);
        return builtIn === undefined ? customs.ofResource(group, resource)?.outline.names.kind : builtIn.kind;
      },
      customSchemaOf(apiVersion, kind) {
        const parsed = parseGroupVersion(apiVersion);
        return parsed && customs.version({ ...parsed, kind })?.openApiSchema;
      },
    },
  };
}
