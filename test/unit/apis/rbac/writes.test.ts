import { describeWrites } from '../write-cases.ts';
import { roleBindingWrites } from './role-binding-writes.ts';
import { roleWrites } from './role-writes.ts';

describeWrites('kindRules of roles', roleWrites);
describeWrites('kindRules of role bindings', roleBindingWrites);
