import { asJsonObject, ownValue } from '../../base/index.ts';
import { parseQuantity, type Quantity, QuantityError, quantityValue } from '../../machinery/values/index.ts';
import { asRecords, type Fields, type Report, shownText, textOr } from './report.ts';

/** Writes what a container's environment is made from. Values of its pod's fields are shown where the pod is known. */
export function describeEnvironment(report: Report, level: number, container: Fields, pod?: Fields): void {
  describeSources(report, level, asRecords(container.envFrom));
  const variables = asRecords(container.env);
  report.line(level, `Environment:${variables.length === 0 ? '\t<none>' : ''}`);
  for (const variable of variables) {
    const [first = '', ...rest] = formatVariable(variable, container, pod).split('\n');
    report.line(level + 1, `${shownText(variable.name)}:\t${first}`);
    for (const line of rest) report.line(level + 1, `\t${line}`);
  }
}

function describeSources(report: Report, level: number, sources: readonly Fields[]): void {
  if (sources.length === 0) return;
  report.line(level, 'Environment Variables from:');
  for (const source of sources) {
    const isConfigMap = source.configMapRef !== undefined;
    const reference = asJsonObject(isConfigMap ? source.configMapRef : source.secretRef);
    const prefix = source.prefix ? ` with prefix '${shownText(source.prefix)}'` : '';
    const kind = isConfigMap ? 'ConfigMap' : 'Secret';
    report.line(
      level + 1,
      `${shownText(reference.name)}\t${kind}${prefix}\tOptional: ${reference.optional === true}`,
    );
  }
}

function formatVariable(variable: Fields, container: Fields, pod: Fields | undefined): string {
  const from = asJsonObject(variable.valueFrom);
  const field = asJsonObject(from.fieldRef);
  const resource = asJsonObject(from.resourceFieldRef);
  const secret = asJsonObject(from.secretKeyRef);
  const map = asJsonObject(from.configMapKeyRef);
  if (from.fieldRef !== undefined) {
    return shownText(
      `${podField(pod, String(field.fieldPath))} (${textOr(field.apiVersion, 'v1')}:${field.fieldPath})`,
    );
  }
  if (from.resourceFieldRef !== undefined) {
    return shownText(`${resourceAmount(resource, container)} (${resource.resource})`);
  }
  if (from.secretKeyRef !== undefined) {
    const name = shownText(`<set to the key '${secret.key}' in secret '${secret.name}'>`);
    return `${name}\tOptional: ${secret.optional === true}`;
  }
  if (from.configMapKeyRef !== undefined) {
    const name = shownText(`<set to the key '${map.key}' of config map '${map.name}'>`);
    return `${name}\tOptional: ${map.optional === true}`;
  }
  return shownText(variable.value);
}

/** Name and namespace of the pod; release 1.20's client shows no other field. */
function podField(pod: Fields | undefined, path: string): string {
  const field = /^metadata\.(name|namespace)$/.exec(path)?.[1];
  return field === undefined ? '' : textOr(asJsonObject(pod?.metadata)[field], '');
}

/** How much of a resource the container may use or asks for, in whole units of the divisor. */
function resourceAmount(reference: Fields, container: Fields): string {
  const [, side = '', name = ''] =
    /^(limits|requests)\.(cpu|memory|ephemeral-storage)$/.exec(String(reference.resource)) ?? [];
  const amounts = asJsonObject(asJsonObject(container.resources)[side]);
  const scale = name === 'cpu' ? -3 : 0;
  try {
    const amount = readQuantity(ownValue(amounts, name), scale);
    const divisor = readQuantity(reference.divisor, scale) || readQuantity('1', scale);
    const count = side === '' ? '' : String((amount + divisor - 1n) / divisor);
    return count === '0' && side === 'limits' && name !== 'ephemeral-storage' ? 'node allocatable' : count;
  } catch (error) {
    if (error instanceof QuantityError) return '';
    throw error;
  }
}

function readQuantity(value: unknown, scale: number): bigint {
  if (value === undefined || value === null) return 0n;
  const quantity: Quantity = parseQuantity(String(value));
  return quantityValue(quantity, scale);
}
