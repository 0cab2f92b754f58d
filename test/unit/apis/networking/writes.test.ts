import { describeWrites } from '../write-cases.ts';
import { ingressClassWrites } from './ingress-class-writes.ts';
import { ingressWrites } from './ingress-writes.ts';
import { networkPolicyWrites } from './network-policy-writes.ts';

describeWrites('kindRules of ingresses', ingressWrites);
describeWrites('kindRules of ingress classes', ingressClassWrites);
describeWrites('kindRules of network policies', networkPolicyWrites);
