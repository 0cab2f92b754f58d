import { randomBytes, randomUUID } from 'node:crypto';
import { standardFinalizers } from '../apis/validation/index.ts';
import type { Clock } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { TypeCatalog } from '../machinery/schema/index.ts';
import type { RegistryEnvironment } from '../registry/index.ts';

/** Letters of generated names: no vowels and no look-alikes, so that no words arise. */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;

export interface EnvironmentOptions {
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly gates: ReadonlySet<string>;
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
  const { clock, dialect, catalog, gates, allowsPrivileged, tokenKey, listLifetimeMs, maxStoredBytes } =
    options;
  return {
    nowMs: () => clock.nowMs(),
    newUid: () => randomUUID(),
    newNameSuffix: randomSuffix,
    tokenKey,
    listLifetimeMs,
    maxStoredBytes,
    standardFinalizers: standardFinalizers(dialect),
    ruleContext: { dialect, catalog, gates, allowsPrivileged },
  };
}

function randomSuffix(): string {
  let suffix = '';
  // 243 is the largest multiple of 27 in a byte: letters stay equally likely.
  while (suffix.length < suffixLength) {
    for (const byte of randomBytes(8)) {
      if (byte < 243 && suffix.length < suffixLength) suffix += suffixLetters[byte % suffixLetters.length];
    }
  }
  return suffix;
}
