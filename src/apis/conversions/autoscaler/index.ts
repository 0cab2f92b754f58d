/**
 * Autoscalers between `autoscaling/v1`, which is stored, and the beta versions. The newest, `v2beta2`, has a field
 * for everything; what the others lack travels in four annotations. Source: conversion rules of release 1.20.
 */
export { ExtraAnnotations } from './annotations.ts';
export {
  autoscalerConversions,
  directAutoscalerConversions,
  type ReceivedAutoscaler,
  settledAutoscalers,
} from './autoscaler-conversions.ts';
