import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '../types/admissionregistration-v1beta1.ts';
import {
  goStringList,
  isDns1035Label,
  isDns1123Subdomain,
  nameIsDnsSubdomain,
  validateLabelSelector,
} from '../validation/index.ts';
import { validateWebhookClient } from '../webhook-client.ts';
import { validateRuleWithOperations } from './webhook-rule.ts';

type AnyWebhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

const listPath = fieldPath('webhooks');
const reviewVersions: readonly string[] = ['v1', 'v1beta1'];
const harmlessEffects: readonly string[] = ['None', 'NoneOnDryRun'];
const allEffects: readonly string[] = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];

/** What `v1` asks for and the version before did not; an update may keep what breaks it already. */
interface Demands {
  readonly noSideEffects: boolean;
  readonly uniqueNames: boolean;
  readonly knownReviewVersion: boolean;
}

/** Webhooks that may change objects. */
export const mutatingWebhookRules: KindRules<MutatingWebhookConfiguration> = webhookRules();

/** Webhooks that may only refuse. */
export const validatingWebhookRules: KindRules<ValidatingWebhookConfiguration> = webhookRules();

function webhookRules(): KindRules<MutatingWebhookConfiguration> {
  return {
    hasGeneration: true,
    allowsUnconditionalUpdate: false,
    validateName: nameIsDnsSubdomain,
    allowsAnyFinalizer: true,
    validate: ({ webhooks = [] }, context) => {
      const isStrict = isLatest(context);
      const demands = { noSideEffects: isStrict, uniqueNames: isStrict, knownReviewVersion: true };
      return validateWebhooks(webhooks, demands);
    },
    validateUpdate: ({ webhooks = [] }, { webhooks: old = [] }, context) => {
      const isStrict = isLatest(context);
      return validateWebhooks(webhooks, {
        noSideEffects:
          isStrict && old.every(({ sideEffects }) => harmlessEffects.includes(sideEffects ?? '')),
        uniqueNames: isStrict && new Set(old.map(({ name }) => name)).size === old.length,
        knownReviewVersion: old.every(
          ({ admissionReviewVersions: versions = [] }) => versions.length === 0 || hasKnownVersion(versions),
        ),
      });
    },
  };
}

const isLatest = ({ requestApiVersion }: RuleContext): boolean =>
  requestApiVersion === 'admissionregistration.orch.io/v1';

const hasKnownVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => reviewVersions.includes(version));

function validateWebhooks(webhooks: readonly AnyWebhook[], demands: Demands): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [at, webhook] of webhooks.entries()) {
    const path = listPath.index(at);
    validateWebhook(errors, webhook, path, demands);
    const versionsPath = path.child('admissionReviewVersions');
    validateReviewVersions(errors, webhook.admissionReviewVersions ?? [], versionsPath, demands);
    const { name } = webhook;
    if (demands.uniqueNames && names.has(name)) errors.push(duplicate(path.child('name'), name));
    if (name !== '') names.add(name);
  }
  return errors;
}

function validateWebhook(errors: FieldError[], webhook: AnyWebhook, path: FieldPath, demands: Demands): void {
  validateQualifiedName(errors, webhook.name, path.child('name'));
  for (const [at, rule] of (webhook.rules ?? []).entries()) {
    validateRuleWithOperations(errors, rule, path.child('rules').index(at));
  }
  const choose = (
    field: 'failurePolicy' | 'matchPolicy' | 'reinvocationPolicy',
    allowed: readonly string[],
  ) => {
    const value = webhook[field];
    if (value !== undefined && !allowed.includes(value)) {
      errors.push(notSupported(path.child(field), value, allowed));
    }
  };
  choose('failurePolicy', ['Fail', 'Ignore']);
  choose('matchPolicy', ['Equivalent', 'Exact']);
  validateSideEffects(errors, webhook.sideEffects, path.child('sideEffects'), demands);
  const { timeoutSeconds: seconds } = webhook;
  if (seconds !== undefined && (seconds > 30 || seconds < 1)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalidValue(path.child('timeoutSeconds'), seconds, detail));
  }
  errors.push(
    ...validateLabelSelector(webhook.namespaceSelector, path.child('namespaceSelector')),
    ...validateLabelSelector(webhook.objectSelector, path.child('objectSelector')),
  );
  choose('reinvocationPolicy', ['IfNeeded', 'Never']);
  validateWebhookClient(errors, webhook.clientConfig, path.child('clientConfig'));
}

function validateSideEffects(
  errors: FieldError[],
  effects: string | null | undefined,
  path: FieldPath,
  { noSideEffects }: Demands,
): void {
  const allowed = noSideEffects ? harmlessEffects : allEffects;
  if (effects === undefined || effects === null) {
    errors.push(required(path, `must specify one of ${allowed.join(', ')}`));
  } else if (!allowed.includes(effects)) errors.push(notSupported(path, effects, allowed));
}

function validateQualifiedName(errors: FieldError[], name: string, path: FieldPath): void {
  if (name === '') {
    errors.push(required(path));
    return;
  }
  const problems = isDns1123Subdomain(name);
  if (problems.length > 0) errors.push(invalidValue(path, name, problems.join(',')));
  else if (name.split('.').length < 3) {
    const detail = 'should be a domain with at least three segments separated by dots';
    errors.push(invalidValue(path, name, detail));
  }
}

function validateReviewVersions(
  errors: FieldError[],
  versions: readonly string[],
  path: FieldPath,
  { knownReviewVersion }: Demands,
): void {
  if (versions.length === 0) {
    errors.push(required(path, `must specify one of ${reviewVersions.join(', ')}`));
    return;
  }
  const seen = new Set<string>();
  for (const [at, version] of versions.entries()) {
    const problems = seen.has(version) ? ['duplicate version'] : isDns1035Label(version);
    for (const problem of problems) errors.push(invalidValue(path.index(at), version, problem));
    seen.add(version);
  }
  if (!knownReviewVersion || hasKnownVersion(versions)) return;
  const detail = `must include at least one of ${reviewVersions.join(', ')}`;
  errors.push(invalidValue(path, goStringList(versions), detail));
}
