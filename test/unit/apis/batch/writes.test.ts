import { describeWrites } from '../write-cases.ts';
import { cronJobWrites } from './cron-job-writes.ts';
import { jobWrites } from './job-writes.ts';

describeWrites('kindRules of cron jobs', cronJobWrites);
describeWrites('kindRules of jobs', jobWrites);
