import { describeWrites } from '../write-cases.ts';
import { runtimeClassWrites } from './runtime-class-writes.ts';

describeWrites('kindRules of runtime classes', runtimeClassWrites);
