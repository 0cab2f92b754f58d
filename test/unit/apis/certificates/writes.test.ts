import { describeWrites } from '../write-cases.ts';
import { signingRequestWrites } from './signing-request-writes.ts';

describeWrites('kindRules of signing requests', signingRequestWrites);
