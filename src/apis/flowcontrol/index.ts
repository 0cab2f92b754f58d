/**
 * Rules of the flow control group: flow schemas sort requests into priority levels, and these share the server.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import type {
  FlowSchemaSpec,
  PriorityLevelConfigurationSpec,
} from '../types/flowcontrol-apiserver-v1beta1.ts';
import { flowSchemaRules } from './flow-schema.ts';
import mandatory from './mandatory.json' with { type: 'json' };
import { priorityLevelRules } from './priority-level.ts';

export { danglingCondition } from './flow-schema.ts';

/** Rules of the flow control group's kinds. */
export const flowcontrolRules: KindRulesTable = {
  'flowcontrol.apiserver.orch.io/v1beta1.FlowSchema': flowSchemaRules,
  'flowcontrol.apiserver.orch.io/v1beta1.PriorityLevelConfiguration': priorityLevelRules,
};

/** Specifications that hold in every server, also before they are stored, by name. */
export const mandatoryFlowControl: {
  readonly flowSchemas: Readonly<Record<string, FlowSchemaSpec>>;
  readonly priorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>>;
} = mandatory;
