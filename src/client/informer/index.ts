/**
 * Collections kept in memory by list and watch, with handlers for what changes. For controllers; it does not queue,
 * retry or limit what handlers do (`work-queue`).
 */
export { type Informer, type InformerOptions, startInformer } from './informer.ts';
