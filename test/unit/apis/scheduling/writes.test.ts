import { describeWrites } from '../write-cases.ts';
import { priorityClassWrites } from './priority-class-writes.ts';

describeWrites('kindRules of priority classes', priorityClassWrites);
