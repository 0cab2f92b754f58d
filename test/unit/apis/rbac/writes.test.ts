import { describeWrites } from '../write-cases.ts';
import { roleWrites } from './role-writes.ts';
import { roleBindingWrites } from './role-binding-writes.ts';

describeWrites('kindRules of roles', roleWrites);
describeWrites('kindRules of role bindings', roleBindingWrites);
