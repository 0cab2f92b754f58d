import { describeWrites } from '../write-cases.ts';
import { flowSchemaWrites } from './flow-schema-writes.ts';
import { priorityLevelWrites } from './priority-level-writes.ts';

describeWrites('kindRules of flow schemas', flowSchemaWrites);
describeWrites('kindRules of priority levels', priorityLevelWrites);
