import { describeWrites } from '../write-cases.ts';
import { leaseWrites } from './lease-writes.ts';

describeWrites('kindRules of leases', leaseWrites);
