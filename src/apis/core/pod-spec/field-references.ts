import {
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import { canonicalQuantity } from '../../../machinery/values/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import { reportInvalid } from '../../reporting.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from '../../types/core-v1.ts';
import { isQualifiedName } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };

const sizesText =
  "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the";

/** Errors of a reference to a field of the pod; `supported` are the paths that the place allows. */
export function checkObjectField(
  errors: FieldError[],
  selector: ObjectFieldSelector,
  supported: readonly string[],
  path: FieldPath,
): void {
  const apiVersion = selector.apiVersion ?? '';
  const { fieldPath } = selector;
  if (apiVersion === '') errors.push(required(path.child('apiVersion')));
  else if (fieldPath === '') errors.push(required(path.child('fieldPath')));
  else {
    const subscripted = splitSubscript(fieldPath);
    const problem = conversionProblem(apiVersion, fieldPath, subscripted?.path);
    if (problem !== undefined) {
      errors.push(invalidValue(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${problem}`));
    } else if (subscripted !== undefined) {
      const { path: map, key } = subscripted;
      const name = map === 'metadata.annotations' ? key.toLowerCase() : key;
      reportInvalid(errors, path, key, isQualifiedName(name));
    } else {
      // The old name of a field counts as the new one.
      const current = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
      if (!supported.includes(current)) {
        errors.push(notSupported(path.child('fieldPath'), current, supported));
      }
    }
  }
}

/** `metadata.labels['key']` in two parts; undefined when there is no subscript. */
function splitSubscript(fieldPath: string): { path: string; key: string } | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const start = fieldPath.indexOf("['");
  return start < 1 ? undefined : { path: fieldPath.slice(0, start), key: fieldPath.slice(start + 2, -2) };
}

function conversionProblem(version: string, fieldPath: string, map: string | undefined): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (map !== undefined) {
    const isMap = map === 'metadata.annotations' || map === 'metadata.labels';
    return isMap ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  const isKnown = allowed.knownFieldPath.includes(fieldPath) || fieldPath === 'spec.host';
  return isKnown ? undefined : `field label not supported: ${fieldPath}`;
}

/** Errors of a reference to a container's requests and limits; in a volume it must name the container. */
export function checkResourceField(
  errors: FieldError[],
  selector: ResourceFieldSelector,
  path: FieldPath,
  options: { readonly isInVolume: boolean; readonly context: RuleContext },
): void {
  const { resource } = selector;
  if (options.isInVolume && !selector.containerName) errors.push(required(path.child('containerName')));
  else if (resource === '') errors.push(required(path.child('resource')));
  else if (!allowed.resourceFieldPath.includes(resource) && !isHugePageField(resource, options.context)) {
    errors.push(notSupported(path.child('resource'), resource, allowed.resourceFieldPath));
  }
  checkDivisor(errors, resource, selector.divisor ?? '0', path.child('divisor'));
}

const isHugePageField = (resource: string, context: RuleContext): boolean =>
  /^(?:limits|requests)\.hugepages-/.test(resource) && context.gates.has('DownwardAPIHugePages');

function checkDivisor(errors: FieldError[], resource: string, divisor: string, path: FieldPath): void {
  if (divisor === '0') return;
  const kind = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-)/.exec(resource)?.[1];
  if (kind === undefined) return;
  const isCpu = kind === 'cpu';
  const text = canonicalQuantity(divisor);
  if (text === '0' || (isCpu ? allowed.cpuDivisor : allowed.sizeDivisor).includes(text)) return;
  errors.push(
    invalidValue(path, resource, isCpu ? cpuDivisorText : `${sizesText} ${sizeNames[kind]} resource`),
  );
}

const cpuDivisorText = "only divisor's values 1m and 1 are supported with the cpu resource";
const sizeNames: Readonly<Record<string, string>> = {
  memory: 'memory',
  'ephemeral-storage': 'local ephemeral storage',
  'hugepages-': 'hugepages',
};
