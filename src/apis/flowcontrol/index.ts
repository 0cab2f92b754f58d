/**
 * Rules of the flow control group: flow schemas sort requests into priority levels, and these share the server.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { flowSchemaRules } from './flow-schema.ts';
import { priorityLevelRules } from './priority-level.ts';

export { danglingCondition } from './flow-schema.ts';

/** Rules of the flow control group's kinds. */
export const flowcontrolRules: KindRulesTable = {
  'flowcontrol.apiserver.orch.io/v1beta1.FlowSchema': flowSchemaRules,
  'flowcontrol.apiserver.orch.io/v1beta1.PriorityLevelConfiguration': priorityLevelRules,
};
