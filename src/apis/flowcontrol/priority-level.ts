import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type {
  LimitResponse,
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from '../types/flowcontrol-apiserver-v1beta1.ts';
import { deepEqual, nameIsDnsSubdomain, renderGo } from '../validation/index.ts';
import { validateConditions } from './flow-schema.ts';
import mandatory from './mandatory.json' with { type: 'json' };

const specPath = fieldPath('spec');
const maxQueues = 10_000_000;
/** A flow's hand of queues is drawn from a hash of so many bits. */
const maxEntropyBits = 60;
const fixedSpecs: ReadonlyMap<string, unknown> = new Map(Object.entries(mandatory.priorityLevels));

/** Priority levels. Two of them must stay as they are, or the server could be locked out. */
export const priorityLevelRules: KindRules<PriorityLevelConfiguration> = {
  hasStatus: true,
  hasGeneration: true,
  validateName: nameIsDnsSubdomain,
  prepareForCreate(level) {
    level.status = {};
  },
  prepareForUpdate(level, old) {
    level.status = old.status;
  },
  validate: validateLevel,
  validateUpdate: (level, _old, context) => validateLevel(level, context),
  status: {
    prepareForUpdate(level, old) {
      const { managedFields, resourceVersion } = level.metadata;
      level.metadata = { ...old.metadata, resourceVersion, managedFields };
      level.spec = old.spec;
    },
    validateUpdate: (level, _old, context) => validateLevel(level, context),
  },
};

function validateLevel(level: PriorityLevelConfiguration, { catalog }: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const { metadata, spec } = level;
  const name = metadata.name ?? '';
  const typePath = specPath.child('type');
  if ((name === 'exempt') !== (spec.type === 'Exempt')) {
    const detail = "type must be 'Exempt' if and only if name is 'exempt'";
    errors.push(invalidValue(typePath, spec.type, detail));
  }
  const limitedPath = specPath.child('limited');
  if (spec.type === 'Exempt') {
    if (spec.limited !== undefined) {
      errors.push(forbiddenField(limitedPath, 'must be nil if the type is not Limited'));
    }
  } else if (spec.type !== 'Limited') errors.push(notSupported(typePath, spec.type, ['Exempt', 'Limited']));
  else if (spec.limited === undefined) {
    errors.push(required(limitedPath, 'must not be empty when type is Limited'));
  } else validateLimited(errors, spec.limited, limitedPath);
  const fixed = fixedSpecs.get(name);
  if (fixed !== undefined && !deepEqual(fixed, spec)) {
    const type = 'flowcontrol.apiserver.orch.io/v1beta1.PriorityLevelConfigurationSpec';
    const detail = `spec of '${name}' must equal the fixed value`;
    errors.push(invalidValue(specPath, renderGo(spec, type, catalog), detail));
  }
  validateConditions(errors, level.status.conditions);
  return errors;
}

function validateLimited(
  errors: FieldError[],
  limited: NonNullable<PriorityLevelConfiguration['spec']['limited']>,
  path: FieldPath,
): void {
  const { assuredConcurrencyShares: shares, limitResponse } = limited;
  if (shares <= 0)
    errors.push(invalidValue(path.child('assuredConcurrencyShares'), shares, 'must be positive'));
  validateResponse(errors, limitResponse, path.child('limitResponse'));
}

function validateResponse(errors: FieldError[], { type, queuing }: LimitResponse, path: FieldPath): void {
  const queuingPath = path.child('queuing');
  if (type === 'Reject') {
    if (queuing === undefined) return;
    const detail = 'must be nil if limited.limitResponse.type is not Limited';
    errors.push(forbiddenField(queuingPath, detail));
  } else if (type !== 'Queue') errors.push(notSupported(path.child('type'), type, ['Queue', 'Reject']));
  else if (queuing === undefined) {
    const detail = 'must not be empty if limited.limitResponse.type is Limited';
    errors.push(required(queuingPath, detail));
  } else validateQueuing(errors, queuing, queuingPath);
}

function validateQueuing(errors: FieldError[], queuing: QueuingConfiguration, path: FieldPath): void {
  const { queueLengthLimit, queues, handSize } = queuing;
  const refuse = (field: string, value: number, detail: string): void => {
    errors.push(invalidValue(path.child(field), value, detail));
  };
  if (queueLengthLimit <= 0) refuse('queueLengthLimit', queueLengthLimit, 'must be positive');
  if (queues <= 0) refuse('queues', queues, 'must be positive');
  else if (queues > maxQueues) refuse('queues', queues, `must not be greater than ${maxQueues}`);
  const entropyBits = Math.ceil(Math.log2(queues) * handSize);
  if (handSize <= 0) refuse('handSize', handSize, 'must be positive');
  else if (handSize > queues) {
    refuse('handSize', handSize, `should not be greater than queues (${queues})`);
  } else if (entropyBits > maxEntropyBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${maxEntropyBits}`;
    refuse('handSize', handSize, detail);
  }
}
