import { describeWrites } from '../write-cases.ts';
import { apiServiceWrites } from './api-service-writes.ts';

describeWrites('kindRules of api services', apiServiceWrites);
