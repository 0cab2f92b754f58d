import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentOptionValues } from './agent-option-values.ts';
import type { AgentFeatures } from './feature-gates.ts';

/** What a check of the configuration looks at. */
export interface CheckContext {
  readonly values: AgentOptionValues;
  readonly features: AgentFeatures;
  /** Whether a flag or the file says something about this key. */
  readonly isGiven: (key: keyof AgentOptionValues) => boolean;
  readonly dialect: Dialect;
}
