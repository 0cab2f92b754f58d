import { describeWrites } from '../write-cases.ts';
import { webhookConfigurationWrites } from './webhook-configuration-writes.ts';

describeWrites('kindRules of webhook configurations', webhookConfigurationWrites);
