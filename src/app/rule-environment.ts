import { randomUUID } from 'node:crypto';
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
  readonly allowsPrivileged: boolean;
  /** Secret that signs the tokens of paged lists. */
  readonly tokenKey: Buffer;
  /** How long a paged list may take. */
  readonly listLifetimeMs: number | undefined;
  /** As `RegistryEnvironment` has it. */
  readonly maxStoredBytes: number | undefined;
}

/** Time, randomness and settings as the registry's rules are given them. */
export function createEnvironment(options: EnvironmentOptions): RegistryEnvironment {
  const { clock, dialect, catalog, gates, table, allowsPrivileged } = options;
  const { tokenKey, listLifetimeMs, maxStoredBytes } = options;
  return {
    nowMs: () => clock.nowMs(),
    newUid: () => randomUUID(),
    newNameSuffix: randomNameSuffix,
    tokenKey,
    listLifetimeMs,
    maxStoredBytes,
    standardFinalizers: standardFinalizers(dialect),
    ruleContext: {
      dialect,
      catalog,
      gates,
      allowsPrivileged,
      later: table.later,
      kindOf(apiVersion, resource) {
        const parsed = parseGroupVersion(apiVersion);
        return parsed && table.find(parsed.group, parsed.version, resource)?.kind;
      },
    },
  };
}
