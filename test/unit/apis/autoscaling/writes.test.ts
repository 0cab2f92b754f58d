import { describeWrites } from '../write-cases.ts';
import { horizontalPodAutoscalerWrites } from './horizontal-pod-autoscaler-writes.ts';

describeWrites('kindRules of horizontal pod autoscalers', horizontalPodAutoscalerWrites);
