/**
 * Conversions between versions of a kind. All versions convert through one of them: the one that is stored, and `v1`
 * where nothing is. Versions that are equal in shape need no code. Versions that are not served any more convert as
 * well, for clients that bring manifests up to date. No defaults are set here, and nothing is validated. Source:
 * conversion rules of release 1.20.
 */
export { ExtraAnnotations } from './autoscaler/annotations.ts';
export type { ReceivedAutoscaler } from './autoscaler/autoscaler-conversions.ts';
export type { ReceivedBackend } from './ingress.ts';
export {
  createKindComparison,
  createKindFamilies,
  type KindFamilies,
  type KindFamily,
} from './kind-families.ts';
export { type ConversionLoss, createLossFinder, loadConversionLosses } from './losses.ts';
export { type ConvertRequest, createObjectConverter, type ObjectConverter } from './object-converter.ts';
export type { VersionConversion } from './version-conversion.ts';
export { settledVersions, versionConversions } from './version-conversions.ts';
