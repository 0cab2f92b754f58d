import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, fieldPath, invalidValue, required } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { isEmptyText, reportInvalid } from '../reporting.ts';
import type { Event } from '../types/core-v1.ts';
import {
  isDns1123Subdomain,
  isQualifiedName,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  standardFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../validation/index.ts';

const maxTextBytes = 128;
const maxMessageBytes = 1024;

/**
 * Events. Those of older clients may be nearly anything; those with an `eventTime` must say who reports what, and
 * those that come through the events group in `v1` obey its stricter rules too.
 */
export const eventRules: KindRules<Event> = {
  checksMetadataLast: true,
  validateName: nameIsPathSegment,
  allowsAnyFinalizer: true,
  defaultPropagationPolicy: 'Unsupported',
  allowsCreateOnUpdate: true,
  validate(event, context) {
    const errors = validateForAll(event, context.dialect);
    if (!isStrictRequest(context)) return errors;
    const standard = { isNamespaced: true, standardFinalizers: standardFinalizers(context.dialect) };
    const metadataRules = { ...standard, validateName: nameIsDnsSubdomain };
    return [
      ...errors,
      ...validateObjectMeta(event.metadata, metadataRules, fieldPath('metadata')),
      ...validateStrict(event),
    ];
  },
  validateUpdate(event, _old, context) {
    const { dialect } = context;
    const errors = validateForAll(event, dialect);
    if (!isStrictRequest(context)) return errors;
    // Release 1.20 compares the new event with itself: nothing is fixed, and the series is not looked at.
    const metadataRules = { standardFinalizers: standardFinalizers(dialect) };
    const { metadata } = event;
    return [...errors, ...validateObjectMetaUpdate(metadata, metadata, fieldPath('metadata'), metadataRules)];
  },
};

const isStrictRequest = ({ requestApiVersion }: RuleContext): boolean =>
  requestApiVersion === 'events.orch.io/v1';

const isUnset = (time: string | null | undefined): boolean => time === undefined || time === null;

function validateForAll(event: Event, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.metadata.namespace ?? '';
  const subject = event.involvedObject.namespace ?? '';
  const isOld = isUnset(event.eventTime);
  // Events about objects without a namespace live in one of these.
  const homes = isOld ? ['', 'default'] : [dialect.spell('orch-system')];
  const fits = subject === '' ? homes.includes(namespace) : !isOld || subject === namespace;
  if (!fits) {
    const path = fieldPath('involvedObject', 'namespace');
    errors.push(invalidValue(path, subject, 'does not match event.namespace'));
  }
  if (!isOld) validateReport(errors, event);
  reportInvalid(errors, fieldPath('namespace'), namespace, isDns1123Subdomain(namespace));
  return errors;
}

function validateReport(errors: FieldError[], event: Event): void {
  const controllerPath = fieldPath('reportingController');
  const controller = event.reportingComponent;
  if (controller === '') errors.push(required(controllerPath));
  reportInvalid(errors, controllerPath, controller, isQualifiedName(controller));
  validateText(errors, 'reportingInstance', event.reportingInstance);
  validateText(errors, 'action', event.action);
  validateText(errors, 'reason', event.reason);
  if (Buffer.byteLength(event.message ?? '') > maxMessageBytes) {
    errors.push(invalidValue(fieldPath('message'), '', `can have at most ${maxMessageBytes} characters`));
  }
}

function validateText(errors: FieldError[], field: string, value: string | undefined): void {
  if (isEmptyText(value)) errors.push(required(fieldPath(field)));
  else if (Buffer.byteLength(value ?? '') > maxTextBytes) {
    errors.push(invalidValue(fieldPath(field), '', `can have at most ${maxTextBytes} characters`));
  }
}

function validateStrict(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  errors.push(...validateSeries(event));
  if (isUnset(event.eventTime)) errors.push(required(fieldPath('eventTime')));
  if (event.type !== 'Normal' && event.type !== 'Warning') {
    errors.push(invalidValue(fieldPath('type'), '', `has invalid value: ${event.type ?? ''}`));
  }
  const refuse = (field: string): void => {
    errors.push(invalidValue(fieldPath(field), '', 'needs to be unset'));
  };
  if (!isUnset(event.firstTimestamp)) refuse('firstTimestamp');
  if (!isUnset(event.lastTimestamp)) refuse('lastTimestamp');
  if (event.count) refuse('count');
  if (event.source.component || event.source.host) refuse('source');
  return errors;
}

function validateSeries({ series }: Event): FieldError[] {
  const errors: FieldError[] = [];
  if (series === undefined) return errors;
  if ((series.count ?? 0) < 2) {
    errors.push(invalidValue(fieldPath('series', 'count'), '', 'should be at least 2'));
  }
  if (isUnset(series.lastObservedTime)) errors.push(required(fieldPath('series', 'lastObservedTime')));
  return errors;
}
