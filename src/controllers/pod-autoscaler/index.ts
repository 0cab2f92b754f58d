/** Sizes what autoscalers name by what its pods use, or by what other servers measure. Usage itself comes from the metrics APIs. */
export { podAutoscalerController } from './pod-autoscaler-controller.ts';
