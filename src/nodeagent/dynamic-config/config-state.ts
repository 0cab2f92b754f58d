import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { type ConfigSource, toNodeConfigSource } from './config-source.ts';

/** Which configuration is to be used, which is used, and why they differ. An active source of undefined is local. */
export interface ConfigState {
  readonly assigned?: ConfigSource | undefined;
  readonly active?: ConfigSource | undefined;
  readonly lastKnownGood?: ConfigSource | undefined;
  /** Of the start, in the words of the status. */
  readonly error?: string | undefined;
  /** Of the last attempt to follow the node; hides that of the start. */
  readonly syncError?: string | undefined;
  /** The record of the assigned source could not be read: whatever the node asks for is written anew. */
  readonly isDamaged?: boolean;
}

/** `node.status.config`; an empty object when all is local and well, as release 1.20 shows it. */
export function configStatus(state: ConfigState, dialect: Dialect): NodeConfigStatus {
  const error = state.syncError ?? state.error;
  const shown = (field: 'assigned' | 'active' | 'lastKnownGood') => {
    const source = state[field];
    return source === undefined ? {} : { [field]: toNodeConfigSource(source, dialect) };
  };
  return {
    ...shown('assigned'),
    ...shown('active'),
    ...shown('lastKnownGood'),
    ...(error === undefined ? {} : { error }),
  };
}
