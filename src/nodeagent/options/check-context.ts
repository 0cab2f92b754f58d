import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentOptionValues } from './agent-option-values.ts';
import type { AgentFeatures } from './feature-gates.ts';

/** What a check of the configuration looks at. */
export interface CheckContext {
  readonly values: AgentOptionValues;
  readonly features: AgentFeatures;
  readonly dialect: Dialect;
}
