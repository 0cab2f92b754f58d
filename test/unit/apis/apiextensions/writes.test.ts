import { describeWrites } from '../write-cases.ts';
import { definitionWrites } from './definition-writes.ts';

describeWrites('kindRules of definitions', definitionWrites);
