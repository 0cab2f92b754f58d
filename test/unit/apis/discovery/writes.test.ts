import { describeWrites } from '../write-cases.ts';
import { endpointSliceWrites } from './endpoint-slice-writes.ts';

describeWrites('kindRules of endpoint slices', endpointSliceWrites);
